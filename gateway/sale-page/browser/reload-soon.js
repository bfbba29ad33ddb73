// @ts-check

const SHORTEST_DELAY_MS = 1_000;
const SPREAD_MS = 2_000;

let isPlanned = false;

/**
 * Loads the page again within a few seconds, however often it is called. All readers of a page may do so at one moment, for which its
 * server may not be ready: they come at different times, and none again at once.
 */
export function reloadSoon() {
  if (isPlanned) return;
  isPlanned = true;
  setTimeout(() => location.reload(), SHORTEST_DELAY_MS + Math.random() * SPREAD_MS);
}
