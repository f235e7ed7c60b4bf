// Lines over the steps of a run: one, or several that share a chart.
import { line, plot, pointer, tip } from "@observablehq/plot";

import { element, mountChart, tipLooks } from "../chart_frame.js";
import { digitsBetween, number, shorten } from "../format.js";

const maxStops = 40;
// Okabe and Ito's colours; what comes after the last starts again, dashed.
const colours = ["--x", "--y", "--mixture", "--line-3", "--line-4", "--coupling", "--soft"];
const colourOf = (index) => `var(${colours[index % colours.length]})`;
const dashesOf = (index) => (index < colours.length ? null : "5 3");

/** The lines that belong into the chart of line `first`. */
function linesOfChart(series, first) {
  const { chart } = series[first];
  return chart ? series.filter((s, i) => i >= first && s.chart === chart) : [series[first]];
}

function legend(lines) {
  const entries = lines.map((s, i) => {
    const mark = element("span", { class: "line-mark" });
    mark.style.borderTopColor = colourOf(i);
    if (dashesOf(i)) mark.style.borderTopStyle = "dashed";
    return element("li", {}, mark, ` ${shorten(s.name, 40)}`);
  });
  return element("ul", { class: "line-legend" }, ...entries);
}

function draw(lines, width) {
  const { x_label: xLabel, y_label: yLabel } = lines[0];
  const points = lines.flatMap((s, index) =>
    s.x.map((x, i) => ({ x, y: s.y[i], index, name: s.name })),
  );
  const values = points.map((p) => p.y).filter(Number.isFinite);
  const digits = digitsBetween(Math.min(...values), Math.max(...values));
  const describe = (p) =>
    `${lines.length > 1 ? `${shorten(p.name, 40)}\n` : ""}${xLabel} ${number(p.x, 6)}\n` +
    `${yLabel} ${number(p.y, digits)}`;
  const svg = plot({
    width,
    height: Math.round(Math.min(340, Math.max(220, 0.45 * width))),
    marginLeft: Math.max(52, 20 + 7 * digits),
    marginBottom: 42,
    x: { label: xLabel, labelAnchor: "center", labelArrow: "none", nice: true },
    y: {
      label: yLabel,
      labelArrow: "none",
      grid: true,
      nice: true,
      tickFormat: (v) => number(v, digits),
    },
    marks: [
      ...lines.map((_, index) =>
        line(
          points.filter((p) => p.index === index),
          {
            x: "x",
            y: "y",
            stroke: colourOf(index),
            strokeWidth: 1.8,
            strokeDasharray: dashesOf(index),
          },
        ),
      ),
      tip(points, pointer({ x: "x", y: "y", title: describe, ...tipLooks })),
    ],
  });
  const [x, y] = [svg.scale("x"), svg.scale("y")];
  const every = Math.ceil(points.length / maxStops);
  const stops = points
    .filter((p, i) => i % every === 0 && p.y !== null)
    .map((p) => ({ x: x.apply(p.x), y: y.apply(p.y), text: describe(p) }));
  return { svg, stops };
}

export function drawSeries(holder, series, first) {
  const lines = linesOfChart(series, first);
  const name = lines.length > 1 ? lines[0].chart : lines[0].name;
  const count = lines.reduce((sum, s) => sum + s.x.length, 0);
  holder.replaceChildren();
  if (lines.length > 1) holder.append(legend(lines));
  mountChart(holder, `${name}: ${count} values`, (width) => draw(lines, width));
}
