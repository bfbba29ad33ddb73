// @ts-check

const LEAST_INTERVAL_MS = 250;

/**
 * Makes of a drawing one that may be asked for at any rate: it is done in the next frame, but no more than four times a
 * second, and not while the page isn't seen.
 *
 * @param {() => void} draw
 * @returns {() => void}
 */
export function paced(draw) {
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
    const wait = Math.max(0, lastAt + LEAST_INTERVAL_MS - performance.now());
    setTimeout(() => requestAnimationFrame(drawNow), wait);
  };
}
