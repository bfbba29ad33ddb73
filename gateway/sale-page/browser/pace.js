// @ts-check

const LEAST_INTERVAL_MS = 250;

/**
 * Returns a function that requests a drawing and can be called at any rate. The drawing is done in the next frame,
 * but no more than four times a second, and not while the page is hidden.
 *
 * @param {() => void} draw
 * @param {number} [leastMs] the least time between two drawings
 * @returns {() => void}
 */
export function paced(draw, leastMs = LEAST_INTERVAL_MS) {
  let isDue = false;
  let lastAt = -Infinity;
  const drawNow = () => {
    isDue = false;
    lastAt = performance.now();
    draw();
  };
  return () => {
    if (isDue) return;
    isDue = true;
    const wait = Math.max(0, lastAt + leastMs - performance.now());
    setTimeout(() => requestAnimationFrame(drawNow), wait);
  };
}
