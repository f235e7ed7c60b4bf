// One line over the steps of a run.
import { line, plot, pointerX, tip } from "@observablehq/plot";

import { mountChart, tipLooks } from "../chart_frame.js";
import { number } from "../format.js";

const maxStops = 40;

function draw(series, points, width) {
  const describe = (p) => `${series.x_label} ${number(p.x, 6)}\n${series.y_label} ${number(p.y)}`;
  const svg = plot({
    width,
    height: Math.round(Math.min(340, Math.max(220, 0.45 * width))),
    marginLeft: 52,
    x: { label: series.x_label, labelAnchor: "center", labelArrow: "none", nice: true },
    y: {
      label: series.y_label,
      labelArrow: "none",
      grid: true,
      nice: true,
      tickFormat: (v) => number(v),
    },
    marks: [
      line(points, { x: "x", y: "y", stroke: "var(--x)", strokeWidth: 1.8 }),
      tip(points, pointerX({ x: "x", y: "y", title: describe, ...tipLooks })),
    ],
  });
  const every = Math.ceil(points.length / maxStops);
  const [x, y] = [svg.scale("x"), svg.scale("y")];
  const stops = points
    .filter((p, i) => i % every === 0 && p.y !== null)
    .map((p) => ({ x: x.apply(p.x), y: y.apply(p.y), text: describe(p) }));
  return { svg, stops };
}

export function drawSeries(holder, series) {
  const points = series.x.map((x, i) => ({ x, y: series.y[i] }));
  holder.replaceChildren();
  mountChart(holder, `${series.name}: ${points.length} values`, (width) =>
    draw(series, points, width),
  );
}
