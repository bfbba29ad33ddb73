// @ts-check

import { DEADLINE_MS } from "./deadline.js";

/** @returns {Promise<any>} the library, once its styles are loaded too: without them the chart would move later */
export async function loadUPlot() {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = new URL("./uPlot.min.css", import.meta.url).href;
  const script = document.createElement("script");
  script.src = new URL("./uPlot.iife.min.js", import.meta.url).href;
  await Promise.all([inHead(sheet), inHead(script)]);
  return Reflect.get(globalThis, "uPlot");
}

/** Loads something. @param {HTMLElement} element that loads it */
export function inHead(element) {
  const loaded = new Promise((resolve, reject) => {
    const fail = () => reject(new Error("what draws charts can't be loaded"));
    element.addEventListener("load", resolve);
    element.addEventListener("error", fail);
    setTimeout(fail, DEADLINE_MS);
  });
  document.head.append(element);
  return loaded;
}
