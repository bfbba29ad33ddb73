// @ts-check
// Works out in the browser what would come of a bid, as long as one can bid, and marks its price in the chart of the demand.

import { fill } from "../../web/browser/message.js";
import { readDemand } from "./demand.js";
import { perToken } from "./figures.js";
import { decimalSeparator } from "./numbers.js";
import { setTriedPrice } from "./own-bids.js";
import { isNumber, readExactNumber } from "./read-number.js";
import { hasEnded } from "./sale-rules.js";
import { shownFacts } from "./sale-texts.js";
import { whatIfView } from "./what-if-view.js";
import { language, texts } from "./words.js";

/** @typedef {import("../../../common/sale/state/phase.ts").SalePhase} SalePhase */

/** Time without another key after which an entry is taken, so that a screen reader isn't told each digit. */
const PAUSE_MS = 300;
/** Shortest time between two reads of the demand. */
const INTERVAL_MS = 5_000;

/**
 * Writes the entries and answers into the section.
 *
 * @param {HTMLElement} section
 * @param {string} api path of the sale's public read
 * @param {() => import("./figures.js").Units} units of the sale now
 */
export function startWhatIf(section, api, units) {
  /** @type {import("./forecast-view.js").ForecastSale["levels"]} */
  let levels;
  let readAt = Number.NEGATIVE_INFINITY;
  /** The last read of the demand, perhaps still under way. */
  let reading = Promise.resolve();
  /** The number of answers that were begun: only the last is shown. */
  let begun = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const form = document.createElement("form");
  form.noValidate = true;
  const [price, amount] = [
    entry("if-price", fill(texts().tile.price, { per: perToken(units()) })),
    entry("if-amount", amountLabel(units())),
  ];
  const entries = element("div", "entries");
  entries.append(price.field, amount.field);
  form.append(entries);
  const answer = element("div", "");
  answer.setAttribute("role", "status");
  section.append(form, answer);
  answer.append(paragraph(example(), "hint quiet"));

  function read() {
    if (performance.now() - readAt <= INTERVAL_MS) return reading;
    // Nothing else is read until this is there.
    readAt = Number.POSITIVE_INFINITY;
    reading = readDemand(api).then((read) => {
      levels = read ?? levels;
      readAt = performance.now();
    });
    return reading;
  }

  async function show() {
    clearTimeout(timer);
    begun += 1;
    const own = begun;
    const [wantedPrice, wantedAmount] = [numberOf(price), numberOf(amount)];
    if (wantedPrice.value === undefined || wantedAmount.value === undefined) {
      setTriedPrice(undefined);
      const hints = [wantedPrice, wantedAmount].flatMap(({ hint }) => hint ?? []);
      const lines = hints.length > 0 ? hints : [example()];
      answer.replaceChildren(...lines.map((line) => paragraph(line, "hint quiet")));
      return;
    }
    await read();
    if (own !== begun || section.hidden) return;
    // A read that failed is tried again, as no key may be pressed any more.
    if (levels === undefined) later(INTERVAL_MS + PAUSE_MS);
    const view = whatIfView(
      { price: wantedPrice.value, amount: wantedAmount.value },
      { facts: shownFacts(), units: units(), levels },
    );
    const isWorkedOut = view !== undefined && !("refusal" in view);
    setTriedPrice(isWorkedOut ? view.price : undefined);
    if (isWorkedOut) showView(answer, view);
    else answer.replaceChildren(paragraph(view?.refusal ?? texts().whatIf.unknown, "hint quiet"));
  }

  /** @param {number} milliseconds */
  function later(milliseconds) {
    clearTimeout(timer);
    timer = setTimeout(() => void show(), milliseconds);
  }
  // So that the answer is there at once when the last key is.
  form.addEventListener("focusin", () => void read());
  form.addEventListener("input", () => later(PAUSE_MS));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void show();
  });
  document.addEventListener("tidemark:drawn", () => {
    if (
      !section.hidden &&
      price.input.value !== "" &&
      amount.input.value !== "" &&
      performance.now() - readAt > INTERVAL_MS
    )
      later(PAUSE_MS);
  });
  document.addEventListener("tidemark:phase", () => {
    const phase = document.getElementById("status")?.dataset["status"];
    section.hidden = hasEnded(/** @type {SalePhase} */ (phase));
    if (section.hidden) setTriedPrice(undefined);
  });
}

/**
 * Reads a field as every form reads numbers, so that an entry which readers could take for another number is refused.
 *
 * @param {ReturnType<typeof entry>} field
 * @returns {{ value?: { numerator: bigint, denominator: bigint }, hint?: string }} the number, more than nothing; else
 *   what to write instead, where something was entered that is none
 */
function numberOf({ input, name }) {
  const read = readExactNumber(input.value, texts().numberWords, language());
  const isRefused = input.value.trim() !== "" && !isNumber(read);
  input.setAttribute("aria-invalid", String(isRefused));
  if (isNumber(read)) return read.numerator > 0n ? { value: read } : {};
  return isRefused ? { hint: `${name.textContent}: ${read.reason}.` } : {};
}

/** @param {import("./figures.js").Units} units */
function amountLabel({ dollars, symbol }) {
  const unit = dollars ? "$" : symbol;
  return unit ? fill(texts().whatIf.amount, { unit }) : texts().lookUp.amount;
}

function example() {
  const point = decimalSeparator(language());
  return fill(texts().whatIf.numbers, { example: `0${point}25` });
}

/**
 * @param {HTMLElement} answer
 * @param {import("./what-if-view.js").WhatIfView} view
 */
function showView(answer, { badge, detail, outcomes, notes }) {
  const line = paragraph("", "");
  const strong = document.createElement("strong");
  strong.textContent = badge;
  line.append(strong, `: ${detail}`);
  const list = element("dl", "outcome");
  for (const { label, figure } of outcomes) {
    const [pair, name, value] = [element("div", ""), document.createElement("dt"), document.createElement("dd")];
    name.textContent = label;
    value.textContent = figure.text;
    value.title = figure.exact;
    pair.append(name, value);
    list.append(pair);
  }
  answer.replaceChildren(line, list, ...notes.map((note) => paragraph(note, "hint quiet")));
}

/**
 * @param {string} id
 * @param {string} label
 */
function entry(id, label) {
  const [field, name, input] = [
    element("div", "field"),
    document.createElement("label"),
    document.createElement("input"),
  ];
  name.htmlFor = input.id = id;
  name.textContent = label;
  input.inputMode = "decimal";
  input.autocomplete = "off";
  input.maxLength = 60;
  field.append(name, input);
  return { field, name, input };
}

/**
 * @param {string} text
 * @param {string} className
 */
function paragraph(text, className) {
  const line = element("p", className);
  line.textContent = text;
  return line;
}

/**
 * @param {"div" | "dl" | "p"} name
 * @param {string} className
 */
function element(name, className) {
  const made = document.createElement(name);
  if (className !== "") made.className = className;
  return made;
}
