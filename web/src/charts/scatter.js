// X and Y with the components' ellipses, and on demand the couplings: those of plain W against the
// normalised ones, as in the title figure of the paper.
import { dot, line, link, plot, pointer, text, tip } from "@observablehq/plot";

import { element, mountChart, tipLooks } from "../chart_frame.js";
import { axisLabel, cell, componentNames, day, number, percent, shorten } from "../format.js";
import { crossingShare } from "./couplings.js";
import { dimensions, momentsByMember } from "./views.js";

const golden = 0.618033988749895;
const colours = 8; // of components, as many as the style sheet has
const told = 8; // columns of a row in its tip

/** Coordinates on the chosen axes; with one axis, X and Y become two rows of spread points. */
function placer(figure, pair) {
  if (figure.axes.length > 1) return (p) => [p[pair[0]], p[pair[1]]];
  return (p, row, i) => [p[0], row + 0.5 * (((i * golden) % 1) - 0.5)];
}

function outline(ellipse, axes, pair, deviations) {
  const [a, b] = pair;
  const entry = (i, j) => ellipse.covariance[i * axes + j];
  const l00 = Math.sqrt(Math.max(entry(a, a), 0));
  const l10 = l00 > 0 ? entry(a, b) / l00 : 0;
  const l11 = Math.sqrt(Math.max(entry(b, b) - l10 * l10, 0));
  return Array.from({ length: 49 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 48;
    const [u, v] = [deviations * Math.cos(angle), deviations * Math.sin(angle)];
    return {
      x: ellipse.centre[a] + l00 * u,
      y: ellipse.centre[b] + l10 * u + l11 * v,
      group: `${ellipse.component} ${deviations}`,
      component: ellipse.component,
    };
  });
}

/** Whether most ellipses hold the centres of two others: then their outer rings are a tangle. */
function crowded(ellipses, axes, [a, b]) {
  const holds = (e, other) => {
    const [xx, xy, yy] = [[a, a], [a, b], [b, b]].map(([i, j]) => e.covariance[i * axes + j]);
    const [dx, dy] = [other.centre[a] - e.centre[a], other.centre[b] - e.centre[b]];
    const determinant = xx * yy - xy * xy;
    return determinant > 0 && yy * dx * dx - 2 * xy * dx * dy + xx * dy * dy < 4 * determinant;
  };
  const held = ellipses.reduce(
    (sum, e) => sum + ellipses.filter((other) => other !== e && holds(e, other)).length,
    0,
  );
  return held >= 2 * ellipses.length && ellipses.length > 0;
}

function extent(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const pad = 0.05 * (high - low) || 1;
  return [low - pad, high + pad];
}

/** Domains and height such that one unit is as long on both axes, unless that wastes the page. */
function frame(points, width, flat, free) {
  const x = extent(points.map((p) => p.x));
  const y = extent(points.map((p) => p.y));
  const inner = width - 64;
  if (flat) return { x, y, height: 260, equal: true };
  // Columns have units of their own: no scale in common.
  if (free) return { x, y, height: Math.min(0.72 * inner, 520) + 56, equal: false };
  const [xs, ys] = [x[1] - x[0], y[1] - y[0]];
  const height = Math.min(Math.max((inner * ys) / xs, 0.6 * inner), 0.95 * inner, 620);
  const unit = Math.min(inner / xs, height / ys);
  const [xw, yw] = [inner / unit / xs, height / unit / ys];
  if (Math.max(xw, yw) > 4) return { x, y, height: height + 56, equal: false };
  const widen = ([low, high], factor) => {
    const [middle, half] = [(low + high) / 2, ((high - low) / 2) * factor];
    return [middle - half, middle + half];
  };
  return { x: widen(x, xw), y: widen(y, yw), height: height + 56, equal: true };
}

const apart = 17; // pixels between two numbers that can both be read

/** Moves numbers that cover each other apart, as little as it takes. */
function spreadLabels(labels, toPixels) {
  const at = labels.map((l) => [l.x * toPixels[0], l.y * toPixels[1]]);
  for (let round = 0; round < 60; ++round) {
    let moved = false;
    for (let a = 0; a < at.length; ++a) {
      for (let b = 0; b < a; ++b) {
        const [dx, dy] = [at[a][0] - at[b][0], at[a][1] - at[b][1]];
        const distance = Math.hypot(dx, dy);
        if (distance >= apart) continue;
        moved = true;
        // Numbers at one place part sideways.
        const [ux, uy] = distance > 1e-6 ? [dx / distance, dy / distance] : [1, 0];
        const push = (apart - distance) / 2 + 0.01;
        at[a] = [at[a][0] + push * ux, at[a][1] + push * uy];
        at[b] = [at[b][0] - push * ux, at[b][1] - push * uy];
      }
    }
    if (!moved) break;
  }
  return labels.map((l, j) => ({ ...l, x: at[j][0] / toPixels[0], y: at[j][1] / toPixels[1] }));
}

const mostInFull = 4;

/** Of many components those that changed most are drawn in full, and the others faintly. */
function emphasis(record, ellipses) {
  const statusOf = (e) => record.components?.[e.component]?.status ?? "shared";
  const sharesOf = (e) => [record.pi_x?.[e.component] ?? 0, record.pi_y?.[e.component] ?? 0];
  const changeOf = (e) => Math.abs(sharesOf(e)[0] - sharesOf(e)[1]);
  const moved = ellipses.filter((e) => statusOf(e) !== "shared");
  const told = moved.length > 0 || ellipses.length < 7 ? moved : ellipses;
  if (ellipses.length < 5 || told.length === 0) return () => 1;
  const size = moved.length > 0 ? (e) => Math.max(...sharesOf(e)) : changeOf;
  const largest = [...told].sort((e, f) => size(f) - size(e)).slice(0, mostInFull);
  const full = new Set(largest.map((e) => e.component));
  return (component) => (full.has(component) ? 1 : 0.35);
}

/** X and Y, or the data of a training run and what its model generates. */
function setNames(record, holder) {
  if (holder.dataset.x) return { X: holder.dataset.x, Y: holder.dataset.y };
  const generated = record.kind === "training" && (record.data?.length ?? 0) < 2;
  return generated ? { X: "the data", Y: "the model" } : { X: "X", Y: "Y" };
}

/** A row by its own columns where they are known, otherwise by its place. */
function describePoint(p, figure, sets, names) {
  const lines = [`row of ${sets[p.set]}`];
  if (p.member !== undefined) lines.push(shorten(names[p.member] ?? String(p.member + 1), 60));
  const columns = figure.columns ?? [];
  const side = p.set.toLowerCase();
  for (const column of columns.slice(0, told)) {
    lines.push(`${column.name}: ${cell(column, column[side][p.index])}`);
  }
  if (columns.length > told) lines.push(`and ${columns.length - told} more columns`);
  if (columns.length === 0) {
    lines.push(...p.at.map((value, i) => `${figure.axes[i].name} ${number(value)}`));
  }
  return lines.join("\n");
}

function describeComponent(record, names, ellipse) {
  const j = ellipse.component;
  if (!record.pi_x) return `component ${names[j] ?? j + 1}`;
  return `component ${names[j]}\n${percent(record.pi_x[j])} of X, ${percent(record.pi_y[j])} of Y`;
}

/** The story that the drawn couplings tell, in words. */
function story(record, mode) {
  const figure = record.figure;
  if (mode === "none") return "";
  const couplings =
    mode === "plain" ? figure.plain : [...figure.normalized_x, ...figure.normalized_y];
  const share =
    figure.ellipses.length > 1 ? percent(crossingShare(couplings, figure.ellipses)) : null;
  const crossing = share ? ` ${share} of the drawn couplings end in another component.` : "";
  if (mode === "plain") {
    const mix = record.pi_x
      ? ` Where the proportions differ, mass has to cross from one component to another.${crossing}`
      : "";
    const value = number(record.wasserstein ?? record.distance);
    return `Plain W = ${value} carries all of X onto all of Y.${mix}`;
  }
  return (
    `NW = ${number(record.normalized_wasserstein)} carries X and Y each onto a mixture of the ` +
    `same components (green) in its own proportions, so no mass has to cross.${crossing}`
  );
}

class Scatter {
  constructor(holder, record) {
    this.holder = holder;
    this.record = record;
    this.figure = record.figure;
    for (const column of this.figure.columns ?? []) {
      const read = record.columns?.find((summary) => summary.name === column.name);
      column.holdsDates = read?.kind === "datetime";
    }
    this.sets = setNames(record, holder);
    this.names = record.pi_x ? componentNames(record) : [];
    this.members = { x: this.figure.member_x, y: this.figure.member_y };
    this.dimensions = dimensions(this.figure);
    this.pair = [0, Math.min(1, this.figure.axes.length - 1)];
    // Columns of the data are what a reader knows; the couplings live on the axes of the fit.
    const { across, up } = holder.dataset;
    this.columns = across ? [across, up].map((c) => this.dimensions.columns[c]) : null;
    this.rings = holder.dataset.rings === "1" ? [1] : [1, 2];
    this.byMember = false;
    this.shown = { x: true, y: true, components: true };
    this.mode = "none";
    this.words = element("p", { class: "story", "aria-live": "polite" });
    const controls = this.controls();
    controls.append(this.words);
    const layout = element("div", { class: "scatter" }, controls);
    holder.replaceChildren(layout);
    this.redraw = mountChart(layout, this.label(), (width) => this.draw(width));
  }

  label() {
    const { x, y, ellipses } = this.figure;
    const others = y.length > 0 ? ` and ${y.length} points of ${this.sets.Y}` : "";
    const fitted = ellipses.length > 0 ? ` with ${ellipses.length} components` : "";
    return `Scatter plot of ${x.length} points of ${this.sets.X}${others}${fitted}`;
  }

  controls() {
    const box = element("div", { class: "controls" });
    const legend = element("div", { class: "legend", role: "group", "aria-label": "Shown" });
    const entries = [
      ["x", this.sets.X, this.figure.x],
      ["y", this.sets.Y, this.figure.y],
      ["components", "components", this.figure.ellipses],
    ];
    for (const [key, name, items] of entries) {
      if (items.length > 0) legend.append(this.toggle(key, name));
    }
    box.append(legend);
    if (this.figure.plain.length > 0 || this.figure.normalized_x.length > 0)
      box.append(this.couplingChoice());
    if (this.members.x) box.append(this.colourChoice());
    if (this.dimensions.columns.length > 1) box.append(this.columnChoice());
    else if (this.figure.axes.length > 2) box.append(this.axisChoice());
    return box;
  }

  toggle(key, name) {
    const button = element(
      "button",
      { type: "button", "aria-pressed": "true", "data-show": key },
      element("span", { class: `swatch swatch-${key}` }),
      ` ${name}`,
    );
    button.addEventListener("click", () => {
      this.shown[key] = !this.shown[key];
      button.setAttribute("aria-pressed", String(this.shown[key]));
      this.redraw();
    });
    return button;
  }

  couplingChoice() {
    const group = `couplings-${Math.random().toString(36).slice(2)}`;
    const set = element("fieldset", { class: "segmented" }, element("legend", {}, "Couplings"));
    const choices = [["none", "none"]];
    if (this.figure.plain.length > 0) choices.push(["plain", "plain W"]);
    if (this.figure.normalized_x.length > 0) choices.push(["normalised", "normalised"]);
    for (const [mode, name] of choices) {
      const input = element("input", { type: "radio", name: group, value: mode });
      input.checked = mode === this.mode;
      input.addEventListener("change", () => {
        this.mode = mode;
        if (mode !== "none") this.showAxes();
        this.words.textContent = story(this.record, mode);
        this.redraw();
      });
      set.append(element("label", {}, input, element("span", {}, name)));
    }
    return set;
  }

  colourChoice() {
    const box = element("input", { type: "checkbox" });
    box.addEventListener("change", () => {
      this.byMember = box.checked;
      this.redraw();
    });
    return element("label", { class: "check" }, box, " colour by component");
  }

  /** One list for each direction: the columns of the data, then the axes of the fit. */
  columnChoice() {
    const { columns, axes } = this.dimensions;
    const lists = ["Across", "Up"].map((word, which) => {
      const select = element("select", {});
      const group = (label, items, prefix) =>
        element(
          "optgroup",
          { label },
          ...items.map((d, i) => element("option", { value: `${prefix}${i}` }, shorten(d.name, 28))),
        );
      select.append(group("Columns", columns, "c"));
      if (axes.length > 1) select.append(group("Axes of the fit", axes, "a"));
      select.addEventListener("change", () => this.choose(which, select.value));
      return [element("label", { class: "select" }, `${word} `, select), select];
    });
    this.lists = lists.map(([, select]) => select);
    this.markChoice();
    return element("div", { class: "column-choice" }, ...lists.map(([label]) => label));
  }

  chosen() {
    if (this.columns) return this.columns;
    return this.pair.map((a) => this.dimensions.axes[a]);
  }

  choose(which, value) {
    const next = [...this.chosen()];
    next[which] = this.dimensions[value[0] === "c" ? "columns" : "axes"][Number(value.slice(1))];
    if (next.every((d) => d.axis !== undefined)) {
      this.columns = null;
      this.pair = next.map((d) => d.axis);
    } else {
      this.columns = next;
      this.mode = "none";
      const none = this.holder.querySelector("input[value=none]");
      if (none) none.checked = true;
      this.words.textContent = "";
    }
    this.redraw();
  }

  /** The couplings are drawn where they were computed. */
  showAxes() {
    this.columns = null;
    this.markChoice();
  }

  markChoice() {
    if (!this.lists) return;
    this.chosen().forEach((d, which) => {
      const kind = d.axis === undefined ? "columns" : "axes";
      this.lists[which].value = `${kind[0]}${this.dimensions[kind].indexOf(d)}`;
    });
  }

  axisChoice() {
    const select = element("select", {});
    for (const pair of [
      [0, 1],
      [0, 2],
      [1, 2],
    ]) {
      const option = element("option", { value: pair.join() });
      option.textContent = `${pair[0] + 1} and ${pair[1] + 1}`;
      select.append(option);
    }
    select.addEventListener("change", () => {
      this.pair = select.value.split(",").map(Number);
      this.redraw();
    });
    return element("label", { class: "select" }, "Axes ", select);
  }

  couplings(place) {
    const lines = (list, rows, colour, fromColour, toColour) =>
      list.map(([from, to], i) => {
        const [x1, y1] = place(from, rows[0], i);
        const [x2, y2] = place(to, rows[1], i);
        return {
          x1,
          y1,
          x2,
          y2,
          colour,
          ends: [
            { x: x1, y: y1, colour: fromColour },
            { x: x2, y: y2, colour: toColour },
          ],
        };
      });
    const { plain, normalized_x: nx, normalized_y: ny } = this.figure;
    const [x, y, mixture] = ["var(--x)", "var(--y)", "var(--mixture)"];
    if (this.mode === "plain") return lines(plain, [0, 1], "var(--coupling)", x, y);
    if (this.mode !== "normalised") return [];
    return [...lines(nx, [0, 0.5], x, x, mixture), ...lines(ny, [1, 0.5], y, y, mixture)];
  }

  draw(width) {
    const { figure, pair, shown, record, columns } = this;
    const flat = figure.axes.length === 1 && !columns;
    const place = placer(figure, pair);
    const cloud = (list, set, row) =>
      list.flatMap((at, index) => {
        const side = set.toLowerCase();
        const [x, y] = columns
          ? columns.map((d) => d[side][index])
          : place(at, row, index);
        if (x === null || y === null) return []; // a missing value has no place
        return [{ x, y, at, set, index, member: this.members[side]?.[index] }];
      });
    const points = { X: cloud(figure.x, "X", 0), Y: cloud(figure.y, "Y", 1) };
    const ellipses = columns
      ? momentsByMember(columns[0], columns[1], this.members)
      : figure.ellipses;
    const [size2, axes2] = columns ? [2, [0, 1]] : [figure.axes.length, pair];
    const rings = !flat && crowded(ellipses, size2, axes2) ? [1] : this.rings;
    const outlines = flat
      ? []
      : ellipses.flatMap((e) => rings.flatMap((s) => outline(e, size2, axes2, s)));
    const centres = ellipses.map((e) => ({
      x: e.centre[axes2[0]],
      y: flat ? 0.5 : e.centre[axes2[1]],
      label: String(e.component + 1),
      title: describeComponent(record, this.names, e),
    }));
    const visible = [...(shown.x ? points.X : []), ...(shown.y ? points.Y : [])];
    const links = this.couplings(place);
    const ends = links.flatMap((l) => l.ends);
    const axis = {
      labelAnchor: "center",
      labelArrow: "none",
      ticks: Math.max(3, Math.floor(width / 110)),
      tickFormat: (v) => number(v),
    };
    const size = frame([...points.X, ...points.Y, ...outlines], width, flat, Boolean(columns));
    const label = (which) =>
      columns ? shorten(columns[which].name, 40) : axisLabel(figure.axes, pair[which]);
    const ticks = (which) => {
      if (columns?.[which].column?.holdsDates) return { ...axis, tickFormat: day };
      const levels = columns?.[which].column?.levels;
      if (!levels) return axis;
      const named = levels.map((_, i) => i).filter((i) => i < 12);
      return { ...axis, ticks: named, tickFormat: (v) => shorten(levels[v] ?? "", 12) };
    };
    // Room for the longest label of a tick, and the title of the axis beside it.
    const longest = Math.max(
      ...size.y.map((v) => (columns?.[1].column?.holdsDates ? day(v) : number(v, 2)).length),
      ...(columns?.[1].column?.levels ?? []).map((level) => Math.min(level.length, 12)),
    );
    const faint = this.mode === "none" ? 0.65 : 0.3;
    const strength = emphasis(record, ellipses);
    const marginLeft = Math.max(50, 29 + 7 * longest);
    const pixels = [
      (width - marginLeft - 14) / (size.x[1] - size.x[0]),
      (size.height - 56) / (size.y[1] - size.y[0]),
    ];
    const labels = flat ? centres : spreadLabels(centres, pixels);
    const described = [
      ...visible.map((p) => ({ x: p.x, y: p.y, title: describePoint(p, figure, this.sets, this.names) })),
      ...(shown.components ? centres : []),
    ];
    const scale = width < 480 ? 0.65 : 1; // smaller marks on a phone
    const svg = plot({
      width,
      height: Math.round(size.height),
      marginLeft,
      marginRight: 14,
      marginTop: 14,
      marginBottom: 42,
      x: { ...ticks(0), domain: size.x, label: label(0), grid: true },
      y: flat
        ? { domain: size.y, axis: null }
        : { ...ticks(1), domain: size.y, label: label(1), grid: true },
      symbol: { domain: ["X", "Y"], range: ["circle", "diamond2"] },
      marks: [
        link(links, {
          x1: "x1",
          y1: "y1",
          x2: "x2",
          y2: "y2",
          stroke: (l) => l.colour,
          strokeOpacity: 0.55,
          strokeWidth: 1.1,
          className: "couplings",
        }),
        dot(visible, {
          x: "x",
          y: "y",
          symbol: "set",
          r: 2.6 * scale,
          fill: (p) =>
            this.byMember && p.member !== undefined
              ? `var(--member-${p.member % colours})`
              : `var(--${p.set.toLowerCase()})`,
          fillOpacity: faint,
          className: "points",
        }),
        dot(ends, {
          x: "x",
          y: "y",
          r: 2.3 * scale,
          fill: (e) => e.colour,
          fillOpacity: 0.9,
          className: "ends",
        }),
        ...(shown.components
          ? [
              line(outlines, {
                x: "x",
                y: "y",
                z: "group",
                stroke: (o) =>
                  this.byMember ? `var(--member-${o.component % colours})` : "var(--mixture)",
                strokeOpacity: (o) => strength(o.component),
                strokeWidth: 0.6 + scale,
                className: "ellipses",
              }),
              text(labels, {
                x: "x",
                y: "y",
                text: "label",
                fontSize: 9 + 4 * scale,
                fontWeight: 700,
                fill: "var(--mixture-text)",
                stroke: "var(--surface)",
                strokeWidth: 4 * scale,
              }),
            ]
          : []),
        tip(described, pointer({ x: "x", y: "y", title: "title", ...tipLooks })),
      ],
    });
    const [x, y] = [svg.scale("x"), svg.scale("y")];
    const stops = centres.map((c) => ({ x: x.apply(c.x), y: y.apply(c.y), text: c.title }));
    return { svg, stops: shown.components ? stops : [] };
  }
}

export function drawScatter(holder, record) {
  return new Scatter(holder, record);
}
