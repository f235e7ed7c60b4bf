// The share of every component in X and in Y as paired bars with their intervals.
import { axisFy, barX, plot, pointerY, ruleX, ruleY, text, tickX, tip } from "@observablehq/plot";

import { element, mountChart, tipLooks } from "../chart_frame.js";
import { componentNames, interval, number, percent, shorten } from "../format.js";

const few = 0.005; // a share of both sides: too short a bar to see
const many = 6; // components; fewer are all drawn

/** Which components get bars: all, or of many those that can be seen. */
function drawn(record, count) {
  const all = Array.from({ length: count }, (_, j) => j);
  if (count <= many) return all;
  return all.filter((j) => Math.max(record.pi_x[j], record.pi_y[j]) >= few);
}

function bars(record) {
  const names = componentNames(record);
  return drawn(record, names.length).map((j) => [names[j], j]).flatMap(([name, j]) =>
    ["x", "y"].map((set) => ({
      component: j,
      name,
      set: set.toUpperCase(),
      share: record[`pi_${set}`][j],
      range: record[`pi_${set}_interval`]?.[j],
    })),
  );
}

function describe(bar) {
  const range = interval(bar.range, percent);
  return `component ${bar.name}\n${percent(bar.share)} of ${bar.set}${range}`;
}

/** Names stand above their bars where they say more than a number. */
function draw(rows, width) {
  const count = rows.length / 2;
  const named = rows.some((bar) => bar.name.includes(" "));
  const ranged = rows.filter((bar) => bar.range);
  const most = Math.max(...rows.map((bar) => Math.max(bar.share, bar.range?.[1] ?? 0)));
  const facet = { fy: "component", y: "set" };
  const letters = Math.floor((width - 40) / 6.6);
  const svg = plot({
    width,
    height: 44 + count * (named ? 52 : 34),
    marginLeft: named ? 10 : 32,
    marginRight: 16,
    marginTop: 4,
    marginBottom: 40,
    x: {
      label: "share of the data set",
      labelAnchor: "center",
      labelArrow: "none",
      percent: true,
      domain: [0, 100 * most],
      ticks: Math.max(2, Math.floor(width / 90)),
      tickFormat: (v) => `${v} %`,
      grid: true,
    },
    y: { axis: null, domain: named ? ["name", "X", "Y"] : ["X", "Y"], padding: 0.12 },
    fy: { padding: named ? 0.1 : 0.22, label: null, axis: null },
    marks: [
      named
        ? text(
            rows.filter((bar) => bar.set === "X"),
            {
              fy: "component",
              y: () => "name",
              x: 0,
              text: (bar) => shorten(bar.name, letters),
              textAnchor: "start",
              dx: 2,
              fontSize: 12,
              className: "bar-names",
            },
          )
        : axisFy({ anchor: "left", tickFormat: (j) => String(j + 1), fontSize: 12 }),
      barX(rows, {
        ...facet,
        x: "share",
        fill: (bar) => `var(--${bar.set.toLowerCase()})`,
        fillOpacity: 0.85,
        rx: 2,
      }),
      ruleY(ranged, {
        ...facet,
        x1: (bar) => bar.range[0],
        x2: (bar) => bar.range[1],
        stroke: "currentColor",
        strokeWidth: 1.5,
      }),
      ...[0, 1].map((end) =>
        tickX(ranged, {
          ...facet,
          x: (bar) => bar.range[end],
          stroke: "currentColor",
          strokeWidth: 1.5,
          inset: 2,
        }),
      ),
      ruleX([0], { stroke: "currentColor", strokeOpacity: 0.5 }),
      text(rows, {
        ...facet,
        x: 0,
        text: "set",
        dx: 9,
        fontSize: 10,
        fontWeight: 650,
        fill: "var(--on-bar)",
        filter: (bar) => bar.share > 0.06 * most,
      }),
      tip(rows, pointerY({ ...facet, x: "share", title: describe, ...tipLooks })),
    ],
  });
  const [x, y, fy] = ["x", "y", "fy"].map((name) => svg.scale(name));
  const stops = rows.map((bar) => ({
    x: x.apply(100 * bar.share),
    y: fy.apply(bar.component) + y.apply(bar.set) + y.bandwidth / 2,
    text: describe(bar),
  }));
  return { svg, stops };
}

export function drawProportions(holder, record) {
  const rows = bars(record);
  holder.replaceChildren(
    element(
      "p",
      { class: "key" },
      element("span", { class: "swatch swatch-x" }),
      ` ${holder.dataset.x ?? "X"} `,
      element("span", { class: "swatch swatch-y" }),
      ` ${holder.dataset.y ?? "Y"}`,
    ),
  );
  const left = componentNames(record).length - rows.length / 2;
  mountChart(holder, `Proportions of ${rows.length / 2} components in X and Y`, (width) =>
    draw(rows, width),
  );
  if (left > 0) {
    const note = `${left} more ${left > 1 ? "have" : "has"} less than ${number(100 * few)} % of both sides.`;
    holder.append(element("p", { class: "caption" }, note));
  }
}
