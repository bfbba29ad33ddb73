// @ts-check

import { inHead } from "./load-uplot.js";

/** @type {Promise<unknown> | undefined} */
let loading;

/** Loads the styles of what a page shows later, once. Without them it is plain, and works. */
export async function loadLaterStyles() {
  loading ??= inHead(laterSheet()).catch(() => undefined);
  await loading;
}

function laterSheet() {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = new URL("./later.css", import.meta.url).href;
  return sheet;
}
