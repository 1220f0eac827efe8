// Shows the absolute link of the scenario and copies it.

const absolute = (link) => location.origin + location.pathname + link;

// Pages on plain http have no clipboard API, and a browser may refuse it: then the old command copies the selection.
async function copy(input, button) {
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    input.focus();
    const copied = document.execCommand("copy");
    if (copied) button.focus();
    return copied;
  }
}

export default function ({ parentElement, data }) {
  const input = parentElement.querySelector("input");
  const button = parentElement.querySelector("button");
  const status = parentElement.querySelector("[role=status]");
  const { words } = data;
  input.setAttribute("aria-label", words.field);
  button.textContent = words.button;
  const link = absolute(data.link);
  if (input.value !== link) {
    input.value = link;
    status.textContent = "";
  }
  input.onfocus = () => input.select();
  button.onclick = async () => {
    status.textContent = "";
    const copied = await copy(input, button);
    status.textContent = copied ? words.copied : words.refused;
  };
}
