// Shows figures in frames: what each is, the figure, and what it is of. All three are only text.

const PARTS = { label: "dt", value: "dd", below: "dd" };

function frame(figure) {
  const box = document.createElement("div");
  box.className = "frame";
  for (const [name, tag] of Object.entries(PARTS)) {
    const part = document.createElement(tag);
    part.className = name;
    part.textContent = figure[name];
    box.append(part);
  }
  return box;
}

export default function ({ parentElement, data }) {
  parentElement.querySelector("dl").replaceChildren(...data.figures.map(frame));
}
