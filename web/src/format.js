// Numbers and names as the page writes them.

/** At most `digits` significant digits, with a real minus sign. */
export function number(value, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

export function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

export function interval(range, format = number) {
  return range ? ` (${format(range[0])} to ${format(range[1])})` : "";
}

export function shorten(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** Names of all components: their own, or their numbers counted from 1. */
export function componentNames(record) {
  return record.pi_x.map((_, j) => record.components?.[j]?.name || String(j + 1));
}

/** Axes that hide part of the data say how much of it they show. */
export function axisLabel(axes, index) {
  const shown = axes.reduce((sum, axis) => sum + axis.variance_share, 0);
  const name = shorten(axes[index].name, 40);
  return shown > 0.9995 ? name : `${name} (${percent(axes[index].variance_share)} of the variance)`;
}
