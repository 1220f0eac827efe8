// Keeps what a chart becomes at the slider's neighbouring values where the chart looks for it: at its element.
export default function ({ data }) {
  const place = document.querySelector(`.st-key-${data.chart}`);
  if (place) place.ahead = data;
}
