// What all charts share: they follow the width of the page, and the arrow keys walk through their
// values as the pointer does.

const hint = "Arrow keys step through the values, Escape leaves.";

/** Looks of the box that shows the value under the pointer. */
export const tipLooks = { lineHeight: 1.35, textPadding: 9, lineWidth: 24 };

/** A new element with attributes and children; text is always text, never markup. */
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/**
 * Fills `holder` with a frame that holds a chart.
 * `draw(width)` returns {svg, stops}: a stop is {x, y, text} in pixels of the drawing.
 * Returns a function that draws again, for when a control has changed.
 */
export function mountChart(holder, label, draw) {
  const spoken = element("p", { class: "visually-hidden", "aria-live": "polite" });
  const frame = element("div", {
    class: "plot",
    role: "group",
    tabindex: "0",
    "aria-roledescription": "chart",
    "aria-label": `${label}. ${hint}`,
  });
  holder.append(frame, spoken);
  let stops = [];
  let current = -1;
  let width = 0;

  const redraw = () => {
    if (width < 50) return; // a hidden tab: drawn when it is shown
    const drawn = draw(width);
    drawn.svg.setAttribute("aria-hidden", "true"); // the frame speaks for it
    stops = drawn.stops;
    frame.replaceChildren(drawn.svg);
  };
  new ResizeObserver(([entry]) => {
    const found = Math.floor(entry.contentRect.width);
    if (found === width) return;
    width = found;
    redraw();
  }).observe(frame);

  const point = (type, at) => {
    const svg = frame.firstElementChild;
    const box = svg.getBoundingClientRect();
    const scale = box.width / Number(svg.getAttribute("width"));
    const where = { clientX: box.left + at.x * scale, clientY: box.top + at.y * scale };
    svg.dispatchEvent(new PointerEvent(type, { ...where, pointerType: "mouse", bubbles: true }));
  };
  const leave = () => {
    if (current < 0) return;
    point("pointerleave", { x: -1e4, y: -1e4 });
    current = -1;
    spoken.textContent = "";
  };
  const moves = {
    ArrowRight: () => current + 1,
    ArrowDown: () => current + 1,
    ArrowLeft: () => current - 1,
    ArrowUp: () => current - 1,
    Home: () => 0,
    End: () => stops.length - 1,
  };
  frame.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leave();
    const move = moves[event.key];
    if (!move || stops.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    current = Math.min(Math.max(move(), 0), stops.length - 1);
    point("pointermove", stops[current]);
    spoken.textContent = stops[current].text;
  });
  frame.addEventListener("blur", leave);
  return redraw;
}
