// @ts-check
// Loads the second part of the element. The script for other sites has a function of its own in its place, which names the file by its content.

export function loadExtras() {
  return import("./sale-extras.js");
}
