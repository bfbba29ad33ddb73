// @ts-check

import { watchDismissal } from "./chart-pointer.js";
import { drawnText, fromPrice } from "./curves.js";

/**
 * @typedef {import("./figures.js").Units} Units
 * @typedef {import("./curves.js").Series} Series
 * @typedef {import("./marks.js").Mark} Mark
 */

/** One chart in its figure. */
export class Chart {
  /** @type {readonly Mark[]} */
  marks = [];
  /** @type {Units | undefined} */
  units;
  /** Whole tokens for sale, whose cost is a line; 0 for none. */
  supply = 0;
  /** Decimals of its values. */
  places = 2;
  /** The times that it shows; undefined for those of its curve. @type {import("./curves.js").Range | undefined} */
  range;
  #figure;
  #plot;
  #readout;
  #uPlot;
  #options;
  /** @type {any} */
  #drawn;
  /** @type {Series} */
  #series = [[], []];
  #description = "";
  /** @type {string | undefined} */
  #pointed;

  /**
   * @param {HTMLElement} figure
   * @param {any} uPlot
   * @param {(chart: Chart, uPlot: any) => object} options
   */
  constructor(figure, uPlot, options) {
    this.#figure = figure;
    this.#plot = /** @type {HTMLElement} */ (figure.querySelector(".plot"));
    this.#readout = /** @type {HTMLElement} */ (figure.querySelector(".readout"));
    this.#uPlot = uPlot;
    this.#options = options;
    new ResizeObserver(() => this.#resize()).observe(this.#plot);
    watchDismissal(this.#plot, () => this.#drawn);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#redraw());
  }

  /**
   * @param {Series} series
   * @param {Units} units
   */
  show(series, units) {
    this.#series = series;
    this.units = units;
    if (this.#drawn === undefined) this.#redraw();
    else this.#drawn.setData(this.#shown());
  }

  get figure() {
    return this.#figure;
  }

  /** The data attributes of its figure. */
  get dataset() {
    return this.#figure.dataset;
  }

  /** Draws the curve in the present colours. @param {boolean} isPaper whether it becomes as wide as the paper, which isn't known yet */
  drawAnew(isPaper) {
    this.#redraw();
    if (!isPaper || this.#drawn === undefined) return;
    const { root } = this.#drawn;
    // After uPlot, which sets its size in a microtask.
    queueMicrotask(() => {
      for (const element of [root, root.querySelector(".u-wrap")]) element.style.width = "100%";
    });
  }

  /** Whether it has a curve, though it may be folded away. */
  get isDrawn() {
    return this.#series[0].length > 0;
  }

  /** Shows why there is no curve. @param {string} message */
  showNothing(message) {
    this.#series = [[], []];
    this.#drawn?.destroy();
    this.#drawn = undefined;
    this.#pointed = undefined;
    this.describe("");
    const line = document.createElement("p");
    line.className = "nothing quiet";
    line.textContent = message;
    this.#nameImage(message);
    this.#plot.replaceChildren(line);
  }

  /** @param {readonly Mark[]} marks */
  mark(marks) {
    if (JSON.stringify(this.marks) === JSON.stringify(marks)) return;
    const isAsHigh = this.marks.length === marks.length;
    this.marks = marks;
    // Each label has a line of its own above the curve, for which only a new drawing makes room.
    if (isAsHigh) this.#drawn?.setData(this.#shown());
    else if (this.#drawn !== undefined) this.#redraw();
  }

  /**
   * Describes the curve as text.
   *
   * @param {string} text
   * @param {string} [name] a sentence of what it shows, for those who can't see it
   */
  describe(text, name = "") {
    this.#description = text;
    if (name !== "") this.#nameImage(name);
    this.#showReadout();
  }

  /** An image without a name is nothing to those who can't see it, so its place is none before it has one. @param {string} name */
  #nameImage(name) {
    this.#plot.setAttribute("role", "img");
    this.#plot.setAttribute("aria-label", name);
  }

  /** Takes the value at the pointer; undefined where there is none. @param {string | undefined} text */
  point(text) {
    this.#pointed = text;
    this.#showReadout();
  }

  /**
   * @param {number} value
   * @param {number} places
   */
  number(value, places) {
    return drawnText(value, this.units ?? { dollars: false }, places);
  }

  get hasDollars() {
    return this.units?.dollars === true;
  }

  /** @param {string} name of a custom property */
  colour(name) {
    return getComputedStyle(this.#figure).getPropertyValue(name).trim();
  }

  /** Takes the size of its place, and draws what had none. */
  #resize() {
    if (this.#plot.clientWidth === 0) return;
    if (this.#drawn === undefined) this.#redraw();
    else this.#drawn.setSize(this.#size());
  }

  #redraw() {
    if (this.#series[0].length === 0 || this.#plot.clientWidth === 0) return;
    this.#drawn?.destroy();
    this.#plot.replaceChildren();
    this.#pointed = undefined;
    const options = { ...this.#size(), ...this.#options(this, this.#uPlot) };
    this.#drawn = new this.#uPlot(options, this.#shown(), this.#plot);
    this.#figure.dataset["drawn"] = "";
  }

  /** Shows the value at the pointer for as long as it is there, whatever comes meanwhile; else the description. */
  #showReadout() {
    const text = this.#pointed ?? this.#description;
    if (this.#readout.textContent !== text) this.#readout.textContent = text;
  }

  /** Returns the points of the curve, extended to the marked prices. */
  #shown() {
    return fromPrice(this.#series, Math.min(...this.marks.map(({ price }) => price)));
  }

  #size() {
    return { width: this.#plot.clientWidth, height: this.#plot.clientHeight };
  }
}
