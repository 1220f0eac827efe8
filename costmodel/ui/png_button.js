// Draws the chart on the page as a picture for a slide and downloads it; nothing leaves the browser.
//
// Words around the chart are drawn on a canvas, where text is only text: a title with <b>, <a> or $…$ stays literal.
// The chart itself is drawn again by Plotly with a layout of its own: white ground, large type, labels moved until none
// is cut or covered.

const WIDTH = 1600;
const HEIGHT = 900;
const LEAST_CHART_HEIGHT = 480;
const SCALE = 2;
const PADDING = 40;
// A picture drawn from SVG cannot see the page's web fonts, so both parts use fonts that every machine has.
const FONT = "Arial, 'Liberation Sans', Helvetica, sans-serif";
const FONT_SIZE = 20;
const ENLARGE = 1.5;
const INK = "#1a1a1a";
const LINE = "#7a8594";
const VEIL = "rgba(255, 255, 255, 0.8)";
const TEXT_CONTRAST = 4.5;
const GRAPHIC_CONTRAST = 3;
const STYLES = {
  title: { size: 34, weight: "bold", color: INK, gap: 10 },
  subtitle: { size: 22, weight: "normal", color: "#3d4451", gap: 8 },
  note: { size: 18, weight: "normal", color: "#3d4451", gap: 6 },
  link: { size: 14, weight: "normal", color: "#0b5cad", gap: 0 },
};

// --- Colours: what was chosen for a dark page is darkened until it can be read on white ---

const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

function channels(color) {
  pen.clearRect(0, 0, 1, 1);
  pen.fillStyle = color;
  pen.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
  return { rgb: [red, green, blue], alpha: alpha / 255 };
}

const linear = (channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);

function contrastOnWhite(rgb, alpha) {
  const [red, green, blue] = rgb.map((channel) => linear((channel * alpha + 255 * (1 - alpha)) / 255));
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

const isGrey = (rgb) => Math.max(...rgb) - Math.min(...rgb) < 24;

function onWhite(color, leastContrast) {
  if (!CSS.supports("color", color)) return color;
  let { rgb, alpha } = channels(color);
  if (alpha === 0 || contrastOnWhite(rgb, alpha) >= leastContrast) return color;
  if (isGrey(rgb) && rgb[0] > 200) return INK;
  while (contrastOnWhite(rgb, alpha) < leastContrast && rgb.some((channel) => channel > 0)) {
    rgb = rgb.map((channel) => Math.floor(channel * 0.95));
  }
  return `rgba(${rgb.join(", ")}, ${alpha})`;
}

function areaOnWhite(color) {
  if (!CSS.supports("color", color)) return color;
  const { rgb, alpha } = channels(color);
  return isGrey(rgb) && rgb[0] < 80 ? `rgba(120, 130, 145, ${Math.min(alpha, 0.3)})` : color;
}

// The fill of a ring is the ground seen through it.
function ringFill(color) {
  if (Array.isArray(color)) return color.map(ringFill);
  const { rgb } = channels(color);
  const ground = channels(getComputedStyle(document.querySelector(".stApp")).backgroundColor).rgb;
  const isGround = rgb.every((channel, index) => Math.abs(channel - ground[index]) < 8);
  return isGround || (isGrey(rgb) && rgb[0] > 240) ? "white" : onWhite(color, GRAPHIC_CONTRAST);
}

// --- The chart's own figure, enlarged and recoloured ---

const larger = (value) =>
  typeof value === "number" ? value * ENLARGE : Array.isArray(value) ? value.map(larger) : value;

const isColor = (key) => /color$/.test(key);
const isFont = (key) => /font$/.test(key);

function adaptedValue(value, key, parent) {
  if (Array.isArray(value)) return value.map((item) => adaptedValue(item, key, parent));
  if (typeof value === "string" && isColor(key)) {
    if (key === "bgcolor") return channels(value).alpha === 0 ? value : VEIL;
    if (key === "fillcolor") return areaOnWhite(value);
    return onWhite(value, isFont(parent) ? TEXT_CONTRAST : GRAPHIC_CONTRAST);
  }
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  const copy = {};
  for (const [name, item] of Object.entries(value)) copy[name] = adaptedValue(item, name, key);
  if (isFont(key)) {
    copy.size = Math.max(FONT_SIZE, larger(value.size) || 0);
    copy.family = FONT;
  }
  if (key === "line") copy.width = larger(copy.width);
  if (key === "marker") {
    copy.size = larger(copy.size);
    if (value.line?.width && value.color) copy.color = ringFill(value.color);
  }
  return copy;
}

const isAxis = (key) => /^[xy]axis\d*$/.test(key);

function exportAxis(axis, letter) {
  const { gridcolor, zerolinecolor, linecolor, tickcolor, ...rest } = adaptedValue(axis, "axis");
  const title = typeof rest.title === "string" ? { text: rest.title } : { ...rest.title };
  title.text = wrapMarkup(title.text ?? "", letter === "y" ? 32 : 90);
  title.font = { size: FONT_SIZE, ...title.font };
  const range = (rest.range ?? []).map(Number);
  // Every digit of a logarithmic axis is too many in large type: 1, 2, 5 of each power, or over many powers only those.
  const ticks = rest.type === "log" ? { dtick: Math.abs(range[1] - range[0]) > 3 ? 1 : "D2" } : {};
  return { ...ticks, ...rest, title: { ...title, standoff: 16 }, automargin: true };
}

function exportAnnotation(annotation) {
  const copy = { bgcolor: VEIL, borderpad: 2, ...adaptedValue(annotation, "annotation") };
  copy.font = { size: FONT_SIZE, color: INK, family: FONT, ...copy.font };
  copy.align ??= copy.xanchor;
  for (const key of ["xshift", "yshift", "arrowwidth", "standoff"]) {
    if (key in copy) copy[key] = larger(copy[key]);
  }
  if (copy.showarrow === false) return copy;
  for (const [key, reference, usual] of [["ax", "axref", -10], ["ay", "ayref", -30]]) {
    if ((copy[reference] ?? "pixel") === "pixel") copy[key] = larger(copy[key] ?? usual);
  }
  return { arrowcolor: INK, ...copy };
}

function exportTrace(trace) {
  const copy = adaptedValue(trace, "trace");
  if (copy.name) copy.name = wrapMarkup(copy.name, 60);
  if (copy.line && copy.type !== "bar") copy.line.simplify = false;
  if (copy.type === "bar") {
    copy.cliponaxis = false;
    // Text inside a bar gets its colour from Plotly, which knows what lies under it.
    delete copy.insidetextfont?.color;
    if (copy.textposition !== "outside") delete copy.textfont?.color;
  }
  return copy;
}

// What a chart shows, zoom included, with its labels as the page gave them, not as moved to fit the reader's screen.
function figureOf({ data, layout, givenLabels }) {
  return pointLabelsMovable({ data, layout: { ...layout, annotations: givenLabels ?? layout.annotations } });
}

function exportFigure(figure) {
  const layout = {
    template: {
      layout: {
        colorway: (figure.layout.template?.layout?.colorway ?? []).map((color) => onWhite(color, GRAPHIC_CONTRAST)),
        xaxis: { showgrid: false, zeroline: false, showline: true, linecolor: LINE, ticks: "outside", tickcolor: LINE },
        yaxis: { gridcolor: "#e3e7ec", zeroline: false },
      },
    },
    paper_bgcolor: "white",
    plot_bgcolor: "white",
    font: { family: FONT, size: FONT_SIZE, color: INK },
    separators: figure.layout.separators,
    margin: { l: 20, r: 36, t: 20, b: 20, pad: 4 },
    showlegend: figure.layout.showlegend,
    barmode: figure.layout.barmode,
    bargap: figure.layout.bargap,
    bargroupgap: figure.layout.bargroupgap,
    coloraxis: figure.layout.coloraxis,
    legend: { orientation: "h", x: 0, xanchor: "left", y: 1.02, yanchor: "bottom", traceorder: "normal" },
    shapes: adaptedValue(figure.layout.shapes ?? [], "shapes"),
    annotations: figure.layout.annotations.map(exportAnnotation),
  };
  for (const key of Object.keys(figure.layout).filter(isAxis)) layout[key] = exportAxis(figure.layout[key], key[0]);
  return { data: figure.data.map(exportTrace), layout };
}

// Numbers outside their bars get room inside the axis, beside the names of the bars.
async function widenBarAxis(Plotly, stage) {
  const axis = stage._fullLayout.xaxis;
  const texts = [...stage.querySelectorAll(".bartext")].map((node) => node.getBoundingClientRect());
  if (!texts.length || axis?.type !== "linear") return;
  const left = stage.getBoundingClientRect().left + axis._offset;
  const perPixel = (axis.range[1] - axis.range[0]) / axis._length;
  const before = Math.max(0, ...texts.map((box) => left + 8 - box.left));
  const after = Math.max(0, ...texts.map((box) => box.right + 8 - left - axis._length));
  if (before + after === 0) return;
  const range = [axis.range[0] - before * perPixel, axis.range[1] + after * perPixel];
  await Plotly.relayout(stage, { "xaxis.range": range });
}

async function chartPicture(Plotly, figure, width, height) {
  const stage = document.createElement("div");
  stage.style.cssText = `position: fixed; left: -${2 * width}px; top: 0; width: ${width}px; height: ${height}px`;
  document.body.append(stage);
  try {
    const { data, layout } = exportFigure(figure);
    await Plotly.newPlot(stage, data, { ...layout, width, height }, { staticPlot: true });
    await widenBarAxis(Plotly, stage);
    await makeRoomForLabels(Plotly, stage);
    await separateLabels(Plotly, stage);
    const picture = new Image();
    picture.src = await Plotly.toImage(stage, { format: "png", width, height, scale: SCALE });
    await picture.decode();
    return picture;
  } finally {
    Plotly.purge(stage);
    stage.remove();
  }
}

// --- The words around the chart ---

const fontOf = ({ size, weight }) => `${weight} ${size}px ${FONT}`;

// Breaks after spaces and the & of a link; a word that fits no line is broken between characters.
function wrap(context, text, width) {
  const plain = text.replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069\s]+/g, " ").trim();
  const fits = (line) => context.measureText(line.trimEnd()).width <= width;
  const lines = [""];
  for (const word of plain.match(/[^ &]+[ &]?|[ &]/g) ?? []) {
    for (const piece of fits(word) ? [word] : word) {
      const line = lines.at(-1) + piece;
      if (fits(line)) lines[lines.length - 1] = line;
      else lines.push(piece);
    }
  }
  return lines.filter(Boolean);
}

function block(context, text, style) {
  context.font = fontOf(style);
  const lines = wrap(context, text, WIDTH - 2 * PADDING);
  const lineHeight = Math.round(style.size * 1.3);
  return { lines, style, lineHeight, height: lines.length ? lines.length * lineHeight + style.gap : 0 };
}

function drawBlocks(context, blocks, top) {
  for (const { lines, style, lineHeight, height } of blocks) {
    context.font = fontOf(style);
    context.fillStyle = style.color;
    lines.forEach((line, index) => context.fillText(line, PADDING, top + index * lineHeight));
    top += height;
  }
}

const heightOf = (blocks) => blocks.reduce((sum, { height }) => sum + height, 0);

async function slide(Plotly, chart, { title, subtitle, notes, link }) {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  const above = [block(context, title, STYLES.title), block(context, subtitle, STYLES.subtitle)];
  const below = [...notes.map((note) => block(context, note, STYLES.note)), block(context, link, STYLES.link)];
  const words = heightOf(above) + heightOf(below) + 2.25 * PADDING;
  const chartHeight = Math.max(LEAST_CHART_HEIGHT, HEIGHT - words);
  const picture = await chartPicture(Plotly, figureOf(chart), WIDTH - 2 * PADDING, chartHeight);
  canvas.width = WIDTH * SCALE;
  canvas.height = Math.round((words + chartHeight) * SCALE);
  context.scale(SCALE, SCALE);
  context.fillStyle = "white";
  context.fillRect(0, 0, WIDTH, words + chartHeight);
  context.textBaseline = "top";
  drawBlocks(context, above, PADDING);
  const chartTop = PADDING + heightOf(above);
  context.drawImage(picture, PADDING, chartTop, WIDTH - 2 * PADDING, chartHeight);
  drawBlocks(context, below, chartTop + chartHeight + PADDING / 4);
  return canvas;
}

// --- The button ---

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// A picture taken in the middle of a rerun could pair one scenario's chart with another's words.
async function pageAtRest() {
  const isRunning = () => document.querySelector("[data-test-script-state=running]");
  for (let tries = 0; tries < 100 && isRunning(); tries++) await pause(100);
  await pause(100);
}

async function download(data) {
  const chart = document.querySelector(`.st-key-${CSS.escape(data.chart_key)} .js-plotly-plot`);
  if (!chart || !window.Plotly) throw new Error(data.words.not_drawn);
  const link = location.origin + location.pathname + data.link;
  const canvas = await slide(window.Plotly, chart, { ...data, link });
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error(data.words.too_large);
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(blob);
  anchor.download = data.file_name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
}

// The newest data of each button, read only once the page is at rest.
const newest = new WeakMap();

export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button");
  const status = parentElement.querySelector("[role=status]");
  if (newest.has(button) && JSON.stringify(newest.get(button)) !== JSON.stringify(data)) status.textContent = "";
  newest.set(button, data);
  button.textContent = data.words.button;
  button.onclick = async () => {
    if (button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    status.textContent = data.words.drawing;
    try {
      await pageAtRest();
      const now = newest.get(button);
      await download(now);
      status.textContent = now.words.saved;
    } catch (error) {
      status.textContent = data.words.failed.replace("{reason}", () => error.message);
    } finally {
      button.removeAttribute("aria-busy");
    }
  };
}
