// @ts-check
// A settled position to keep: on paper, and as a file for spreadsheets.

import { fill } from "../../web/browser/message.js";
import { timeText } from "./times.js";
import { texts } from "./words.js";

/** Time for which a stored file is held for the browser. */
const RELEASE_MS = 60_000;

/** @typedef {import("./position-view.js").PositionView} PositionView */

/** Returns a position as the lines of a CSV file. @param {PositionView} view */
export function positionCsv({ wallet, bids, outcomes }) {
  const { lookUp, tile, chart } = texts();
  const per = { per: "" };
  const heads = [
    lookUp.address,
    lookUp.commitment,
    chart.time,
    lookUp.amount,
    fill(tile.price, per).trim(),
    lookUp.state,
  ];
  const rows = bids.map(({ id, time, amount, price, badge }) => [
    wallet.exact,
    id.exact,
    time,
    amount.exact,
    price.exact,
    badge,
  ]);
  const results = outcomes.map(({ label, figure }) => [wallet.exact, label, "", figure.exact, "", ""]);
  return [heads, ...rows, ...results].map((fields) => `${fields.map(quoted).join(",")}\r\n`).join("");
}

/** Returns a field of a CSV file. Fields are hex, numbers, times and words of ours, none of which a spreadsheet takes for a formula. @param {string} field */
function quoted(field) {
  return `"${field.replaceAll('"', '""')}"`;
}

/**
 * Shows the buttons that print a position and store it, once it is final.
 *
 * @param {HTMLElement} position the part of the page that shows it
 * @param {PositionView} view
 * @param {boolean} isFinal
 */
export function showReceipt(position, view, isFinal) {
  const shown = position.querySelector("#receipt");
  if (!isFinal || view.outcomes.length === 0) return shown?.remove();
  const part = shown ?? position.appendChild(newPart());
  const [print, store] = part.querySelectorAll("button");
  const note = part.querySelector("p");
  if (note !== null)
    note.textContent = fill(texts().lookUp.receipt, {
      wallet: view.wallet.exact,
      time: timeText(performance.timeOrigin + performance.now()),
    });
  if (print) print.onclick = printReceipt;
  if (store) store.onclick = () => storeFile("tidemark-receipt.csv", positionCsv(view));
}

function newPart() {
  const part = document.createElement("div");
  part.id = "receipt";
  const buttons = [texts().lookUp.print, texts().lookUp.store].map((textContent) =>
    Object.assign(document.createElement("button"), { type: "button", className: "secondary small", textContent }),
  );
  const actions = Object.assign(document.createElement("div"), { className: "actions" });
  actions.append(...buttons);
  part.append(document.createElement("p"), actions);
  return part;
}

function printReceipt() {
  document.documentElement.toggleAttribute("data-receipt", true);
  addEventListener("afterprint", () => document.documentElement.removeAttribute("data-receipt"), { once: true });
  print();
}

/**
 * @param {string} name
 * @param {string} content
 */
function storeFile(name, content) {
  const link = document.createElement("a");
  // A mark at the beginning says that the file is in UTF-8.
  link.href = URL.createObjectURL(new Blob(["\ufeff", content], { type: "text/csv" }));
  link.download = name;
  link.click();
  // Once the browser has read it, which it may begin later.
  setTimeout(() => URL.revokeObjectURL(link.href), RELEASE_MS);
}
