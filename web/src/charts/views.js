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
  const rows = across.x.length + across.y.length;
  return [...found.entries()]
    .filter(([, m]) => m.n >= Math.max(3, 0.01 * rows)) // a handful of rows has no shape
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
