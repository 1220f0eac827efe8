// Draws a Plotly figure and updates it in place: a slider's move costs half of what mounting the chart anew costs,
// and a zoom survives it. Plotly is the copy that Streamlit already serves.

const plotly = (file) => {
  const beside = document.querySelector("script[type=module][src]").src;
  return import(new URL(file, beside).href).then(() => window.Plotly);
};

const CONFIG = {
  displaylogo: false,
  // The picture for a slide has a button of its own under the chart; the camera's would be dark in dark mode.
  modeBarButtonsToRemove: ["toImage", "select2d", "lasso2d", "autoScale2d"],
};

function template(of) {
  const axis = {
    gridcolor: of("border-color-light"),
    zeroline: false,
    linecolor: of("border-color"),
    automargin: true,
    title: { font: { size: 14 }, standoff: 12 },
  };
  return {
    data: { scatter: [{ line: { simplify: false } }] },
    layout: {
      font: { family: of("font"), size: 14, color: of("text-color") },
      paper_bgcolor: "rgba(0, 0, 0, 0)",
      plot_bgcolor: "rgba(0, 0, 0, 0)",
      colorway: of("chart-categorical-colors").split(","),
      hoverlabel: { bgcolor: of("secondary-background-color"), font: { color: of("text-color") } },
      xaxis: { ...axis, showgrid: false, showline: true, ticks: "outside", tickcolor: of("border-color") },
      yaxis: { ...axis, ticks: "outside", ticklen: 4, tickcolor: "rgba(0, 0, 0, 0)" },
    },
  };
}

// A figure names a colour of the theme as "var(--st-primary-color)": it is right in light, dark and right after a switch.
const resolved = (figure, of) =>
  JSON.parse(figure, (_, value) => /^var\(--st-[a-z0-9-]+\)$/.test(value) ? of(value.slice(9, -1)) : value);

// The figure wanted last by each box: a slow first load must not draw over a later one.
const wanted = new WeakMap();

async function draw(box, note, data) {
  const style = getComputedStyle(box);
  const of = (name) => style.getPropertyValue(`--st-${name}`).trim();
  const { data: traces, layout } = resolved(data.figure, of);
  const figure = { data: traces, layout: { uirevision: "kept", autosize: true, ...layout, template: template(of) } };
  const want = JSON.stringify(figure);
  if (wanted.get(box) === want) return;
  wanted.set(box, want);
  try {
    const Plotly = await plotly(data.plotly_file);
    if (wanted.get(box) !== want) return;
    await Plotly.react(box, figure.data, figure.layout, CONFIG);
    note.textContent = "";
  } catch (error) {
    wanted.delete(box);
    note.textContent = `The chart could not be drawn (${error.message}): reload the page.`;
  }
}

function resize(box) {
  if (box.layout && box.offsetWidth && box.offsetWidth !== box._fullLayout.width) window.Plotly.Plots.resize(box);
}

const observed = new WeakSet();

export default function ({ parentElement, data }) {
  const box = parentElement.querySelector("[role=figure]");
  box.setAttribute("aria-label", data.alt);
  box.style.height = `${data.height}px`;
  // The sidebar changes a chart's width without a resize of the window; the observer ends with its element.
  if (!observed.has(box)) new ResizeObserver(() => resize(box)).observe(box);
  observed.add(box);
  draw(box, parentElement.querySelector("[role=status]"), data);
}
