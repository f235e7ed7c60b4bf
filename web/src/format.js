// Numbers and names as the page writes them.

/** At most `digits` significant digits, with a real minus sign. */
export function number(value, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

/** Significant digits that tell apart marks on an axis from `low` to `high`: at least 3. */
export function digitsBetween(low, high) {
  const largest = Math.max(Math.abs(low), Math.abs(high));
  if (!(high > low) || !(largest > 0)) return 3;
  return Math.min(15, Math.max(3, Math.ceil(Math.log10(largest / (high - low))) + 2));
}

/** 0.1234 as "12 %"; a share that is next to nothing says so. */
export function percent(share) {
  if (share > 0 && share < 0.001) return "< 0.1 %";
  return `${number(100 * share, 2)} %`;
}

/** Seconds since 1970 as 2024-01-31. */
export function day(seconds) {
  const date = new Date(1000 * seconds);
  return Number.isNaN(date.getTime()) ? "–" : date.toISOString().slice(0, 10);
}

/** A value of a column as the table writes it: a level by its name, a number with few digits. */
export function cell(column, value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "missing";
  if (column.holdsDates) return day(value);
  return column.levels ? (column.levels[value] ?? "–") : number(value, 4);
}

export function interval(range, format = number) {
  return range ? ` (${format(range[0])} to ${format(range[1])})` : "";
}

export function shorten(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** Names of all components: number and name, or the number alone, counted from 1. */
export function componentNames(record) {
  return record.pi_x.map((_, j) => {
    const name = record.components?.[j]?.name;
    return name ? `${j + 1} · ${name}` : String(j + 1);
  });
}

/** Axes that hide part of the data say how much of it they show. */
export function axisLabel(axes, index) {
  const shown = axes.reduce((sum, axis) => sum + axis.variance_share, 0);
  const name = shorten(axes[index].name, 40);
  return shown > 0.9995 ? name : `${name} (${percent(axes[index].variance_share)} of the variance)`;
}
