// @ts-check

import { texts } from "./words.js";

const COPIED_MS = 2_000;

/** Adds buttons that copy them to the figures that have none. */
export function offerCopying() {
  for (const data of document.querySelectorAll(".tile data")) {
    const tile = data.closest(".tile");
    if (tile === null || tile.querySelector(".copy") !== null) continue;
    const [cell, button, of] = [
      document.createElement("dd"),
      document.createElement("button"),
      document.createElement("span"),
    ];
    cell.className = "copy-cell";
    button.type = "button";
    button.className = "link copy";
    button.dataset["copies"] = data.id;
    of.className = "hidden";
    of.textContent = `: ${tile.querySelector("dt")?.textContent ?? ""}`;
    button.append(texts().tile.copy, of);
    cell.append(button);
    tile.children[1]?.after(cell);
  }
}

/**
 * Lets buttons with `data-copies` copy the exact value of the element with that ID. One listener serves all, also those that
 * come later.
 *
 * @param {HTMLElement} line in which the outcome is said
 */
export function watchCopying(line) {
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button[data-copies]") : null;
    if (button !== null) void copy(button, line);
  });
}

/**
 * @param {Element} button
 * @param {HTMLElement} line
 */
async function copy(button, line) {
  const source = document.getElementById(button.getAttribute("data-copies") ?? "");
  if (!(source instanceof HTMLDataElement)) return;
  line.textContent = await navigator.clipboard.writeText(source.value).then(
    () => texts().tile.copied,
    () => texts().tile.notCopied,
  );
  button.classList.add("done");
  setTimeout(() => {
    line.textContent = "";
    button.classList.remove("done");
  }, COPIED_MS);
}
