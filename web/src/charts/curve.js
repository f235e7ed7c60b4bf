// NW(k) with its interval, the noise floor and k*.
import { areaY, dot, line, plot, pointerX, ruleX, text, tip } from "@observablehq/plot";

import { element, mountChart, tipLooks } from "../chart_frame.js";
import { interval, number } from "../format.js";

const isNumber = Number.isFinite;

function describe(point) {
  const range = isNumber(point.nw_low) ? [point.nw_low, point.nw_high] : null;
  const floor = isNumber(point.floor_low)
    ? `\nnoise floor ${number(point.floor_low)} to ${number(point.floor_high)}`
    : "";
  return `k = ${point.k}\nNW = ${number(point.nw)}${interval(range)}${floor}`;
}

function draw(curve, best, logarithmic, width) {
  const usable = logarithmic ? curve.filter((p) => p.nw > 0) : curve;
  const low = logarithmic ? (v) => (v > 0 ? v : Number.NaN) : (v) => v;
  const marked = usable.filter((p) => p.k === best);
  const wide = best > (curve[0].k + curve.at(-1).k) / 2;
  const svg = plot({
    width,
    height: Math.round(Math.min(360, Math.max(260, 0.62 * width))),
    marginLeft: 48,
    marginRight: 14,
    marginBottom: 40,
    x: {
      label: "number of components k",
      labelAnchor: "center",
      labelArrow: "none",
      ticks: curve
        .map((p) => p.k)
        .filter((_, i) => curve.length <= 12 || width > 520 || i % 2 === 0),
      tickFormat: "d",
    },
    y: {
      label: "NW(k)",
      labelArrow: "none",
      type: logarithmic ? "log" : "linear",
      zero: !logarithmic,
      grid: true,
      ticks: 5,
      tickFormat: (v) => number(v),
    },
    marks: [
      areaY(
        usable.filter((p) => isNumber(p.floor_low) && isNumber(p.floor_high)),
        {
          x: "k",
          y1: (p) => low(p.floor_low),
          y2: "floor_high",
          className: "floor-band",
          fill: "currentColor",
          fillOpacity: 0.25,
        },
      ),
      areaY(
        usable.filter((p) => isNumber(p.nw_low) && isNumber(p.nw_high)),
        {
          x: "k",
          y1: (p) => low(p.nw_low),
          y2: "nw_high",
          fill: "var(--mixture)",
          fillOpacity: 0.2,
        },
      ),
      ruleX(marked, { x: "k", stroke: "currentColor", strokeDasharray: "3 3", strokeOpacity: 0.7 }),
      line(usable, { x: "k", y: "nw", stroke: "var(--mixture)", strokeWidth: 2 }),
      dot(usable, { x: "k", y: "nw", fill: "var(--mixture)", r: 3 }),
      dot(marked, {
        x: "k",
        y: "nw",
        r: 6,
        stroke: "currentColor",
        strokeWidth: 2,
        fill: "var(--mixture)",
      }),
      text(marked, {
        x: "k",
        text: () => `k* = ${best}`,
        frameAnchor: "top",
        dy: 2,
        dx: wide ? -7 : 7,
        textAnchor: wide ? "end" : "start",
        fontWeight: 650,
        fontSize: 13,
      }),
      tip(usable, pointerX({ x: "k", y: "nw", title: describe, ...tipLooks })),
    ],
  });
  const [x, y] = [svg.scale("x"), svg.scale("y")];
  const stops = usable.map((p) => ({ x: x.apply(p.k), y: y.apply(p.nw), text: describe(p) }));
  return { svg, stops };
}

export function drawCurve(holder, record) {
  const curve = record.curve;
  const best = record.k_star ?? record.k;
  const box = element("input", { type: "checkbox" });
  const controls = element(
    "div",
    { class: "controls" },
    element("label", { class: "check" }, box, " logarithmic"),
  );
  const key = element(
    "p",
    { class: "key" },
    element("span", { class: "swatch swatch-line" }),
    " NW(k) with its interval ",
    element("span", { class: "swatch swatch-floor" }),
    " noise floor",
  );
  controls.prepend(key);
  holder.replaceChildren(controls);
  const label = `NW(k) for k from ${curve[0].k} to ${curve.at(-1).k}; k* is ${best}`;
  const redraw = mountChart(holder, label, (width) => draw(curve, best, box.checked, width));
  box.addEventListener("change", redraw);
}
