// Draws a Plotly figure and updates it in place: a slider's move costs half of what mounting the chart anew costs,
// and a zoom survives it. Plotly is the copy that Streamlit already serves.

// Loaded long ago it comes at once, but after what else is new on the page is painted: words need not wait for a chart.
const loadPlotly = async (file) => {
  const beside = document.querySelector("script[type=module][src]").src;
  await import(new URL(file, beside).href);
  return window.Plotly;
};

// The picture for a slide has a button of its own under the chart; Plotly's camera would be dark in dark mode.
const CONFIG = { displayModeBar: false };

function template(of) {
  const axis = {
    gridcolor: of("border-color-light"),
    zeroline: false,
    linecolor: of("border-color"),
    automargin: true,
    title: { font: { size: 14 }, standoff: 12 },
  };
  const ground = of("background-color");
  return {
    data: { scatter: [{ line: { simplify: false } }] },
    layout: {
      font: { family: of("font"), size: 14, color: of("text-color") },
      paper_bgcolor: "rgba(0, 0, 0, 0)",
      plot_bgcolor: "rgba(0, 0, 0, 0)",
      colorway: of("chart-categorical-colors").split(","),
      // Labels stay readable over the lines they stand on.
      annotationdefaults: { bgcolor: /^#[0-9a-f]{6}$/i.test(ground) ? `${ground}cc` : ground },
      hoverlabel: { bgcolor: of("secondary-background-color"), font: { color: of("text-color") } },
      xaxis: { ...axis, showgrid: false, showline: true, ticks: "outside", tickcolor: of("border-color") },
      yaxis: { ...axis, ticks: "outside", ticklen: 4, tickcolor: "rgba(0, 0, 0, 0)" },
    },
  };
}

// A figure names a colour of the theme as "var(--st-primary-color)": right in light and dark, and after a switch.
const resolved = (figure, of) =>
  JSON.parse(figure, (_, value) => /^var\(--st-[a-z0-9-]+\)$/.test(value) ? of(value.slice(9, -1)) : value);

const NARROW = 600;

// Beside the lines of a phone's chart is no room for their names: they move onto the lines.
function insideLabels(layout) {
  const annotations = (layout.annotations ?? []).map((label) =>
    label.xref === "paper" && label.x >= 1 && label.showarrow === false
      ? { ...label, x: 1, xanchor: "right", xshift: 0, yanchor: "bottom", font: { ...label.font, size: 11 } }
      : label,
  );
  return { ...layout, annotations, margin: { ...layout.margin, r: 24 } };
}

function figureFor(box, data) {
  const style = getComputedStyle(box);
  const of = (name) => style.getPropertyValue(`--st-${name}`).trim();
  const { data: traces, layout } = pointLabelsMovable(resolved(data.figure, of));
  box.givenLabels = structuredClone(layout.annotations);
  const fitted = box.offsetWidth < NARROW ? insideLabels(layout) : layout;
  return { data: traces, layout: { uirevision: "kept", autosize: true, ...fitted, template: template(of) } };
}

// What each box shows or waits for, and its drawings, one after the other: a slow first load must not draw over a later
// figure, nor one drawing move the labels of another.
const wanted = new WeakMap();
const drawings = new WeakMap();

// The boxes whose labels are separated after a zoom, too.
const separated = new WeakSet();

function draw(box, note, data) {
  const figure = figureFor(box, data);
  const want = JSON.stringify([figure, box.offsetWidth]);
  if (wanted.get(box)?.want === want) return;
  wanted.set(box, { want, data });
  inTurn(box, () => drawNow(box, note, data, figure, want));
}

function inTurn(box, task) {
  const before = drawings.get(box) ?? Promise.resolve();
  drawings.set(box, before.catch(() => {}).then(task));
}

// The margins that the labels of each box were found to need: while only the slider moves they are given from the start,
// since each widening draws the chart again.
const rooms = new WeakMap();

function roomyLayout(box, data, layout) {
  const room = rooms.get(box);
  const isSame = room && room.basis === data.slider?.basis && room.width === box.offsetWidth;
  return isSame ? { ...layout, margin: { ...layout.margin, ...room.margin } } : layout;
}

async function drawNow(box, note, data, figure, want) {
  try {
    const Plotly = await loadPlotly(data.plotly_file);
    if (wanted.get(box).want !== want) return;
    note.textContent = "";
    await Plotly.react(box, figure.data, roomyLayout(box, data, figure.layout), CONFIG);
    await arrangeLabels(Plotly, box);
    rooms.set(box, { basis: data.slider?.basis, width: box.offsetWidth, margin: box.layout.margin });
    if (separated.has(box)) return;
    separated.add(box);
    box.on("plotly_relayout", () => separateDrawnLabels(box));
    // Labels take another width when a late font has come.
    document.fonts.ready.then(() => inTurn(box, () => arrangeLabels(Plotly, box)));
  } catch (error) {
    wanted.delete(box);
    note.textContent = data.failed.replace("{reason}", () => error.message);
  }
}

async function arrangeLabels(Plotly, box) {
  await makeRoomForLabels(Plotly, box);
  separateDrawnLabels(box);
}

// A point that follows a slider: moved as soon as the slider is, along the places the server gave for its values.
function followed(data, { trace, points }, value) {
  const point = points[value];
  if (!point) return data;
  const figure = JSON.parse(data.figure);
  const [x, y, text, textposition] = point;
  Object.assign(figure.data[trace], { x: [x], y: [y], text: [text], textposition });
  return { ...data, figure: JSON.stringify(figure) };
}

// A whole figure that the server sent before the slider came to its value; of the same scenario otherwise.
function sentAhead(box, data, value) {
  const { basis, figures } = box.closest("[class*=st-key-]").ahead ?? {};
  return basis === data.slider.basis && figures[value] ? { ...data, figure: figures[value] } : data;
}

const followers = new WeakMap();

function follow(box, note, data) {
  followers.get(box)?.disconnect();
  const track = data.follow && JSON.parse(data.follow);
  const slider = document.querySelector(`.st-key-${track?.slider ?? data.slider?.key}`);
  if (!slider) return;
  const at = (value) => (track ? followed(data, track, value) : sentAhead(box, data, value));
  // The slider handles its keys itself and fires no event; its value is an attribute.
  const follower = new MutationObserver(([{ target }]) => draw(box, note, at(Number(target.getAttribute("value")))));
  follower.observe(slider, { subtree: true, attributeFilter: ["value"] });
  followers.set(box, follower);
}

const observed = new WeakSet();

export default function ({ parentElement, data }) {
  const box = parentElement.querySelector("[role=figure]");
  const note = parentElement.querySelector("[role=status]");
  box.setAttribute("aria-label", data.alt);
  box.style.height = `${data.height}px`;
  // A wide drawing must not hold its container wide when the window narrows.
  box.style.contain = "inline-size";
  draw(box, note, data);
  follow(box, note, data);
  if (observed.has(box)) return;
  observed.add(box);
  // The sidebar changes a chart's width without a resize of the window.
  new ResizeObserver(() => box.offsetWidth && draw(box, note, wanted.get(box)?.data ?? data)).observe(box);
}
