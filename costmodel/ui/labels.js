// Makes room for the labels (annotations) of a drawn Plotly chart: none is cut, none covers another or a marker.

const beside = (one, other) => one.left < other.right && other.left < one.right;

const overlap = (one, other) => beside(one, other) && one.top < other.bottom && other.top < one.bottom;

const middle = ({ top, bottom }) => (top + bottom) / 2;

const moved = (box, by) => ({ left: box.left, right: box.right, top: box.top + by, bottom: box.bottom + by });

// The drawn box of each label, with the height of what it names.
function labelBoxes(stage) {
  return [...stage.querySelectorAll(".annotation")].map((node) => {
    const { left, right, top, bottom } = (node.querySelector(".annotation-text-g") ?? node).getBoundingClientRect();
    const { yanchor = "middle", yshift = 0 } = stage.layout.annotations[Number(node.dataset.index)];
    const anchor = { top, bottom }[yanchor] ?? middle({ top, bottom });
    return { index: Number(node.dataset.index), left, right, top, bottom, level: anchor + yshift };
  });
}

// The least vertical move that frees a box of the placed ones and keeps it in the picture.
function leastMove(box, placed, frame) {
  const moves = [0, ...placed.flatMap((other) => [other.top - box.bottom - 1, other.bottom - box.top + 1])];
  const free = moves.filter((by) => {
    const there = moved(box, by);
    return there.top >= frame.top && there.bottom <= frame.bottom && !placed.some((other) => overlap(there, other));
  });
  return free.sort((a, b) => Math.abs(a) - Math.abs(b))[0] ?? 0;
}

// How far each label moves, up and down as little as it takes, so that none covers another or an obstacle. Labels stand
// in the order of what they name: one above the label it belongs under would name the wrong line or point.
function spread(labels, obstacles, frame) {
  const items = labels
    .map((box) => ({ box, by: 0 }))
    .sort((a, b) => a.box.level - b.box.level || middle(a.box) - middle(b.box));
  const pairs = items.flatMap((upper, index) =>
    items
      .slice(index + 1)
      .filter((lower) => beside(upper.box, lower.box))
      .map((lower) => [upper, lower]),
  );
  for (let round = 0; round < 200; round++) {
    const before = items.map(({ by }) => by);
    for (const item of items) {
      item.by += leastMove(moved(item.box, item.by), obstacles, frame);
    }
    for (const [upper, lower] of pairs) {
      const excess = upper.box.bottom + upper.by + 1 - lower.box.top - lower.by;
      if (excess <= 0) continue;
      upper.by -= excess / 2;
      lower.by += excess / 2;
    }
    for (const item of items) {
      item.by = Math.max(item.by, frame.top - item.box.top);
      item.by = Math.min(item.by, frame.bottom - item.box.bottom);
    }
    if (items.every(({ by }, index) => by === before[index])) break;
  }
  return items;
}

// Where each label has to go: { box, by }, by in pixels downwards.
function labelMoves(stage) {
  const annotations = stage.layout.annotations ?? [];
  const frame = stage.getBoundingClientRect();
  const obstacles = [...stage.querySelectorAll(".scatterlayer .point, .textpoint, .legend")].map((node) =>
    node.getBoundingClientRect(),
  );
  const boxes = labelBoxes(stage);
  const hasArrow = ({ index }) => annotations[index].showarrow !== false;
  const moves = spread(boxes.filter((box) => !hasArrow(box)), obstacles, frame);
  const placed = [...obstacles, ...moves.map(({ box, by }) => moved(box, by))];
  for (const box of boxes.filter(hasArrow)) {
    const by = leastMove(box, placed, frame);
    moves.push({ box, by });
    placed.push(moved(box, by));
  }
  return moves.filter(({ by }) => Math.abs(by) >= 0.5);
}

// Separates the labels in the figure itself, as a picture of it needs.
async function separateLabels(Plotly, stage) {
  const update = {};
  for (const { box, by } of labelMoves(stage)) {
    const { showarrow, yshift = 0, ay, ayref = "pixel" } = stage.layout.annotations[box.index];
    if (showarrow === false) update[`annotations[${box.index}].yshift`] = yshift - by;
    else if (ayref === "pixel") update[`annotations[${box.index}].ay`] = ay + by;
  }
  if (Object.keys(update).length) await Plotly.relayout(stage, update);
}

// Separates the labels of a chart on the page where they are drawn: an update of the figure would draw all of it again.
function separateDrawnLabels(stage) {
  const nodes = [...stage.querySelectorAll(".annotation")];
  for (const node of nodes) node.removeAttribute("transform");
  for (const { box, by } of labelMoves(stage)) {
    const node = nodes.find(({ dataset }) => Number(dataset.index) === box.index);
    if (stage.layout.annotations[box.index].showarrow === false) node.setAttribute("transform", `translate(0, ${by})`);
  }
}

const isIndexed = (values) => Array.isArray(values) || ArrayBuffer.isView(values);

function pointLabels(trace, layout) {
  const onAxis = (value, name) =>
    layout[name.replace(/^[xy]/, "$&axis")]?.type === "log" ? Math.log10(value) : value;
  const [x, y] = [trace.xaxis ?? "x", trace.yaxis ?? "y"];
  const labels = Array.from(trace.text, (text, index) => {
    const position = Array.isArray(trace.textposition) ? trace.textposition[index] : trace.textposition;
    const [vertical, horizontal] = (position ?? "middle center").split(" ");
    return {
      x: onAxis(trace.x[index], x),
      xref: x,
      xanchor: { left: "right", right: "left" }[horizontal] ?? "center",
      xshift: { left: -8, right: 8 }[horizontal] ?? 0,
      y: onAxis(trace.y[index], y),
      yref: y,
      yanchor: { top: "bottom", bottom: "top" }[vertical] ?? "middle",
      yshift: { top: 6, bottom: -6 }[vertical] ?? 0,
      text: String(text ?? ""),
      showarrow: false,
      font: trace.textfont ?? {},
    };
  });
  return labels.filter((label) => label.text && label.x != null && label.y != null);
}

// Text of a trace cannot be moved point by point; as annotations it can.
function pointLabelsMovable({ data, layout }) {
  const annotations = [...(layout.annotations ?? [])];
  const traces = data.map((trace) => {
    const isShown = trace.visible === undefined || trace.visible === true;
    const hasLabels = /text/.test(trace.mode ?? "") && [trace.x, trace.y, trace.text].every(isIndexed);
    if (!hasLabels || !isShown) return trace;
    annotations.push(...pointLabels(trace, layout));
    return { ...trace, mode: trace.mode.replace(/\+?text\+?/, "") || "none" };
  });
  return { data: traces, layout: { ...layout, annotations } };
}

// Breaks a label at the first space after so many characters, or within a word of twice as many; tags stay whole.
function wrapMarkup(text, characters) {
  if (text.replace(/<[^>]*>/g, "").length <= 1.4 * characters) return text;
  let length = 0;
  let wrapped = "";
  for (const token of text.match(/<[^>]*>|&#?\w+;|[^]/gu) ?? []) {
    const isTag = token.length > 1 && token.startsWith("<");
    const breaksHere = !isTag && length >= (token === " " ? characters : 2 * characters);
    if (breaksHere) wrapped += "<br>";
    if (!breaksHere || token !== " ") wrapped += token;
    if (breaksHere || /^<br/i.test(token)) length = 0;
    else if (!isTag) length += 1;
  }
  return wrapped;
}

// A label beside the plot takes its width from the plot, so it gets less of it.
async function wrapLongLabels(Plotly, stage) {
  const frame = stage.getBoundingClientRect();
  const { l, w } = stage._fullLayout._size;
  const update = {};
  for (const box of labelBoxes(stage)) {
    const widest = frame.width * (box.left > frame.left + l + w - 4 ? 0.2 : 0.4);
    if (box.right - box.left <= widest) continue;
    const text = stage.layout.annotations[box.index].text;
    const characters = Math.floor((text.replace(/<[^>]*>/g, "").length * widest) / (box.right - box.left));
    update[`annotations[${box.index}].text`] = wrapMarkup(text, Math.max(10, Math.floor(characters * 0.7)));
  }
  if (Object.keys(update).length) await Plotly.relayout(stage, update);
}

// Annotations do not widen the margins of a chart by themselves.
async function widenMargins(Plotly, stage) {
  const frame = stage.getBoundingClientRect();
  const legends = [...stage.querySelectorAll(".legend")].map((node) => node.getBoundingClientRect());
  const boxes = [...labelBoxes(stage), ...legends];
  const excess = {
    l: Math.max(0, ...boxes.map((box) => frame.left - box.left)),
    r: Math.max(0, ...boxes.map((box) => box.right - frame.right)),
    t: Math.max(0, ...boxes.map((box) => frame.top - box.top)),
    b: Math.max(0, ...boxes.map((box) => box.bottom - frame.bottom)),
  };
  const sides = Object.entries(excess).filter(([, by]) => by > 1);
  if (!sides.length) return false;
  const { margin } = stage._fullLayout;
  const update = Object.fromEntries(sides.map(([side, by]) => [`margin.${side}`, margin[side] + by + 4]));
  await Plotly.relayout(stage, update);
  return true;
}

// Wraps labels that are too long and widens the margins for the rest.
async function makeRoomForLabels(Plotly, stage) {
  await wrapLongLabels(Plotly, stage);
  for (let round = 0; round < 4 && (await widenMargins(Plotly, stage)); round++);
}
