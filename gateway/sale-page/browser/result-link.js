// @ts-check

import { loadLaterStyles } from "./later-styles.js";
import { loadLaterTexts, texts } from "./words.js";

/**
 * Leads to the page of the result, once a sale is settled whose page is open. Nothing is moved under a reader's eyes.
 *
 * @param {Element} pause the button in whose place it is, as nothing can be paused any more
 */
export async function showResultLink(pause) {
  await Promise.all([loadLaterTexts(), loadLaterStyles()]);
  const link = document.createElement("a");
  link.id = "result-link";
  link.className = "button secondary small";
  link.href = location.pathname;
  link.textContent = texts().lookUp.showResult;
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void openNewPage(link.href);
  });
  if (document.getElementById(link.id) === null) pause.after(link);
}

/** Opens a page as it is now: for a second, the browser would show the one that it has stored. @param {string} address */
async function openNewPage(address) {
  await fetch(address, { cache: "reload" }).catch(() => undefined);
  location.assign(address);
}
