// @ts-check
// The cross-hair of a chart on touch screens, where nothing leaves a chart as a mouse does.

/** Distance within which a second tap is meant for the first one's place. */
const SAME_PLACE_PX = 24;

/**
 * Lets a finger move the cross-hair, and takes it away by a second tap at its place, a tap elsewhere or Escape.
 *
 * @param {HTMLElement} plot the chart's place
 * @param {() => any} drawn returns what uPlot has drawn there; undefined for nothing
 */
export function watchDismissal(plot, drawn) {
  const hide = () => drawn()?.setCursor({ left: -1, top: -1 });
  /** @type {number | undefined} */
  let tapped;
  plot.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse") return;
    const left = leftIn(event, drawn());
    const shown = drawn()?.cursor.left ?? -1;
    tapped = shown >= 0 && Math.abs(shown - left) < SAME_PLACE_PX ? shown : undefined;
  });
  plot.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") return;
    const left = leftIn(event, drawn());
    if (tapped !== undefined && Math.abs(tapped - left) >= SAME_PLACE_PX) tapped = undefined;
    drawn()?.setCursor({ left, top: 0 });
  });
  // After the mouse events that a browser makes of a tap, with which uPlot shows the cross-hair.
  plot.addEventListener("mouseup", () => {
    if (tapped !== undefined) hide();
    tapped = undefined;
  });
  document.addEventListener("pointerdown", ({ pointerType, target }) => {
    if (pointerType !== "mouse" && target instanceof Node && !plot.contains(target)) hide();
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") hide();
  });
}

/**
 * @param {PointerEvent} event
 * @param {any} drawn
 */
function leftIn({ clientX }, drawn) {
  return clientX - (drawn?.over.getBoundingClientRect().left ?? 0);
}
