// What a scatter plot can show on its two axes: principal axes of the fit, or columns of the data.

const golden = 0.618033988749895;

/** Levels of a category are spread a little, so that rows do not cover each other. */
function spread(values) {
  return values.map((value, i) =>
    value === null ? null : value + 0.5 * (((i * golden) % 1) - 0.5),
  );
}

/** All dimensions: {name, x, y, axis} of an axis, {name, x, y, column} of a column. */
export function dimensions(figure) {
  const axes = figure.axes.map((axis, a) => ({
    name: axis.name,
    axis: a,
    x: figure.x.map((p) => p[a]),
    y: figure.y.map((p) => p[a]),
  }));
  const columns = (figure.columns ?? []).map((column) => ({
    name: column.name,
    column,
    x: column.levels ? spread(column.x) : column.x,
    y: column.levels ? spread(column.y) : column.y,
  }));
  return { axes, columns };
}

/** Share of the variance of a dimension that lies between components. */
function separation(dimension, members) {
  const groups = new Map();
  let [sum, square, count] = [0, 0, 0];
  for (const set of ["x", "y"]) {
    dimension[set].forEach((value, i) => {
      const member = members[set]?.[i];
      if (value === null || member === undefined) return;
      const group = groups.get(member) ?? { sum: 0, count: 0 };
      group.sum += value;
      group.count += 1;
      groups.set(member, group);
      sum += value;
      square += value * value;
      count += 1;
    });
  }
  const variance = square - (sum * sum) / count;
  let between = -(sum * sum) / count;
  for (const group of groups.values()) between += (group.sum * group.sum) / group.count;
  return variance > 0 ? between / variance : 0;
}

/** A dimension less what another one, in a straight line, says about it. */
function without(dimension, other) {
  let [n, u, v, uu, uv] = [0, 0, 0, 0, 0];
  for (const set of ["x", "y"]) {
    dimension[set].forEach((a, i) => {
      const b = other[set][i];
      if (a === null || b === null) return;
      n += 1;
      u += b;
      v += a;
      uu += b * b;
      uv += a * b;
    });
  }
  const variance = uu - (u * u) / n;
  const slope = variance > 0 ? (uv - (u * v) / n) / variance : 0;
  const rest = (set) =>
    dimension[set].map((a, i) =>
      a === null || other[set][i] === null ? null : a - slope * other[set][i],
    );
  return { x: rest("x"), y: rest("y") };
}

/** The column of numbers that tells the components apart best, and the one that adds most. */
export function tellingColumns(columns, members) {
  const numbers = columns.filter((d) => !d.column.levels);
  if (numbers.length < 2) return null;
  const best = (list, score) => list.reduce((a, b) => (score(b) > score(a) ? b : a));
  const first = best(numbers, (d) => separation(d, members));
  const others = numbers.filter((d) => d !== first);
  return [first, best(others, (d) => separation(without(d, first), members))];
}

/** Centre and covariance of the rows of every component on two dimensions. */
export function momentsByMember(across, up, members) {
  const found = new Map();
  for (const set of ["x", "y"]) {
    across[set].forEach((u, i) => {
      const [v, member] = [up[set][i], members[set]?.[i]];
      if (u === null || v === null || member === undefined) return;
      const m = found.get(member) ?? { n: 0, u: 0, v: 0, uu: 0, uv: 0, vv: 0 };
      m.n += 1;
      m.u += u;
      m.v += v;
      m.uu += u * u;
      m.uv += u * v;
      m.vv += v * v;
      found.set(member, m);
    });
  }
  return [...found.entries()]
    .filter(([, m]) => m.n > 2)
    .sort(([a], [b]) => a - b)
    .map(([component, m]) => {
      const [a, b] = [m.u / m.n, m.v / m.n];
      return {
        component,
        centre: [a, b],
        covariance: [m.uu / m.n - a * a, m.uv / m.n - a * b, m.uv / m.n - a * b, m.vv / m.n - b * b],
      };
    });
}
