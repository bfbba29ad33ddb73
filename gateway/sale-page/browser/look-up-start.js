// @ts-check
// Loads what looks up a wallet, and what the page shows of how the sale decides, once one of these parts is nearly visible, or as soon
// as a wallet is named.

import { loadLaterTexts } from "./words.js";

/** Distance from the visible part of the page at which it is loaded. */
const MARGIN = "400px";

const section = document.querySelector("#look-up");
const observer = new IntersectionObserver(
  (entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) void start();
  },
  { rootMargin: MARGIN },
);

async function start() {
  observer.disconnect();
  removeEventListener("hashchange", start);
  // Where it can't be loaded, the form is sent to the server, as without script.
  await Promise.all([loadLaterTexts(), import("./later-styles.js").then(({ loadLaterStyles }) => loadLaterStyles())])
    .then(() => import("./look-up.js"))
    .catch(() => undefined);
}

if (section instanceof HTMLElement) {
  if (location.hash.startsWith("#wallet=") || "wallet" in section.dataset) void start();
  else {
    for (const part of document.querySelectorAll("#look-up, #decides")) observer.observe(part);
    addEventListener("hashchange", start);
  }
}
