// @ts-check
// Shows that nothing newer comes: a page marks its title, its state and its figures.

import { fetchInTime } from "./deadline.js";
import { freshnessOf, markedTitle } from "./freshness.js";

/**
 * Needs the texts that are loaded later.
 *
 * @param {import("./freshness.js").ShownLiveness} liveness
 */
export function showFreshness(liveness) {
  // A page that has been loaded just now says what its server knew.
  if (liveness.name === "connecting" && liveness.since === 0) return;
  const { isStale } = freshnessOf(liveness, null);
  document.querySelector("main")?.toggleAttribute("data-stale", isStale);
  document.title = markedTitle(document.title, isStale);
  if (liveness.name === "unknown") void leave();
}

/** Loads the page of a sale that isn't public any more, which says so. */
async function leave() {
  const answer = await fetchInTime(location.pathname, { method: "HEAD" }).catch(() => undefined);
  if (answer?.status === 404) location.reload();
}
