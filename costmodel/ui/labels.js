// Moves the labels (annotations) of a drawn Plotly chart until none covers another, a marker or the legend.

const overlap = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

const moved = (box, by) => ({ left: box.left, right: box.right, top: box.top + by, bottom: box.bottom + by });

function labelBoxes(stage) {
  return [...stage.querySelectorAll(".annotation")].map((node) => {
    const box = (node.querySelector(".annotation-text-g") ?? node).getBoundingClientRect();
    return { index: Number(node.dataset.index), ...moved(box, 0) };
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

// Labels in one column (those of the price lines) share the room between them and keep their order.
function spread(column, frame) {
  const there = column.toSorted((a, b) => a.top + a.bottom - b.top - b.bottom).map((box) => ({ box, by: 0 }));
  const overlapAfter = (index) => {
    const [upper, lower] = [there[index], there[index + 1]];
    return upper.box.bottom + upper.by + 1 - lower.box.top - lower.by;
  };
  for (let round = 0; round < 200; round++) {
    for (let index = 0; index + 1 < there.length; index++) {
      const by = Math.max(0, overlapAfter(index)) / 2;
      there[index].by -= by;
      there[index + 1].by += by;
    }
    for (const item of there) {
      item.by = Math.max(item.by, frame.top - item.box.top);
      item.by = Math.min(item.by, frame.bottom - item.box.bottom);
    }
  }
  return there;
}

async function separateLabels(Plotly, stage) {
  const annotations = stage.layout.annotations;
  const frame = stage.getBoundingClientRect();
  const obstacles = [...stage.querySelectorAll(".scatterlayer .point, .textpoint, .legend")].map((node) => node.getBoundingClientRect());
  const boxes = labelBoxes(stage);
  const hasArrow = ({ index }) => annotations[index].showarrow !== false;
  const columnOf = ({ index }) => [annotations[index].xref, annotations[index].x, annotations[index].xanchor].join();
  const names = boxes.filter((box) => !hasArrow(box)).map(columnOf);
  const columns = [...new Set(names)]
    .map((name) => boxes.filter((box) => !hasArrow(box) && columnOf(box) === name))
    .filter((column) => column.length > 1);
  const moves = columns.flatMap((column) => spread(column, frame));
  const placed = [...obstacles, ...moves.map(({ box, by }) => moved(box, by))];
  const rest = boxes.filter((box) => !columns.flat().includes(box));
  for (const box of rest.toSorted((a, b) => hasArrow(a) - hasArrow(b) || a.top - b.top)) {
    const by = leastMove(box, placed, frame);
    moves.push({ box, by });
    placed.push(moved(box, by));
  }
  const update = {};
  for (const { box, by } of moves.filter((move) => move.by !== 0)) {
    const { yshift = 0, ay, ayref = "pixel" } = annotations[box.index];
    if (!hasArrow(box)) update[`annotations[${box.index}].yshift`] = yshift - by;
    else if (ayref === "pixel") update[`annotations[${box.index}].ay`] = ay + by;
  }
  if (Object.keys(update).length) await Plotly.relayout(stage, update);
}
