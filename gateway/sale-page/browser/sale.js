// @ts-check
// Keeps the page of a sale current. Without this script the page shows the figures at the time when it was loaded.

import { fetchInTime } from "./deadline.js";
import { Feed } from "./feed.js";
import { headFigures, unitsOf } from "./figures.js";
import { livenessText } from "./liveness.js";
import { groupedText } from "./numbers.js";
import { paced } from "./pace.js";
import { momentText, rowOf } from "./row-texts.js";
import { fillRow, newRow } from "./rows.js";

/** Interval at which the page checks for changes that the stream doesn't have, such as name and status. */
const SUMMARY_INTERVAL_MS = 60_000;
/** Delay after which the page has a change: the server makes it once a second, and caches may keep it for another. */
const SUMMARY_DELAY_MS = 2_100;
/** Distance from the visible part of the page at which charts are loaded. */
const CHART_MARGIN = "200px";
const CHARTS_RETRY_MS = 10_000;
const COPIED_MS = 2_000;
/** Parts of the page that only a newly rendered page has. */
const SUMMARY_IDS = ["name", "status", "price"];

/** @param {string} selector */
const find = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
const main = find("main");
const currency = { dollars: "dollars" in main.dataset, symbol: main.dataset["symbol"] ?? "" };
const api = main.dataset["api"] ?? "";
const table = find("#latest tbody");
const state = find("#state");
const pause = find("#pause");

/** @type {import("./feed.js").Body | undefined} */
let body;
/** @type {import("./liveness.js").Liveness} */
let liveness = { name: "connecting", since: 0, fault: "" };
let isPaused = false;
let rowsKey = "";
/** Rows of commitments, kept since most of them stay the same from one drawing to the next.
 * @type {WeakMap<import("./feed.js").Commitment, import("./row-texts.js").Row>} */
let knownRows = new WeakMap();
/** @type {import("./charts.js").Charts | undefined} */
let charts;

const draw = paced(() => {
  if (body === undefined || isPaused) return;
  const units = unitsOf(body, currency);
  const { total, count, clearing } = headFigures(body, units);
  showFigure("total", total);
  showFigure("count", count);
  if (clearing !== undefined) showFigure("clearing", clearing);
  showRows(rowsOf(body.Commitments, units));
  charts?.update(body, isSettled());
  // For parts of the page with scripts of their own.
  document.dispatchEvent(new Event("tidemark:drawn"));
});

/**
 * @param {string} id
 * @param {import("./figures.js").Figure} figure
 */
function showFigure(id, { text, exact }) {
  const element = document.getElementById(id);
  if (!(element instanceof HTMLDataElement) || element.value === exact) return;
  element.textContent = text;
  element.value = exact;
  element.title = exact;
}

/**
 * Rows stay in place and get other texts, so that nothing on the page moves.
 *
 * @param {readonly import("./row-texts.js").Row[]} rows
 */
function showRows(rows) {
  while (table.childElementCount > rows.length) table.lastElementChild?.remove();
  for (const [index, row] of rows.entries()) {
    fillRow(/** @type {HTMLTableRowElement} */ (table.children[index] ?? table.appendChild(newRow())), row);
  }
  find("#latest").hidden = rows.length === 0;
  find("#none").hidden = rows.length > 0;
}

function showState() {
  const [name, text] = stateText();
  state.dataset["state"] = name;
  if (state.textContent !== text) state.textContent = text;
  pause.hidden = isSettled();
  pause.textContent = isPaused ? "Resume" : "Pause";
}

/** @returns {[name: string, text: string]} */
function stateText() {
  if (isSettled()) return ["settled", livenessText({ name: "settled", since: 0, fault: "" })];
  if (isPaused) return ["paused", "Paused"];
  return [liveness.name, livenessText(liveness)];
}

/**
 * Shows which block figures are of, or why they stand still.
 *
 * @param {import("./feed.js").SourceState} source
 */
function showSource({ AsOf, Fault }) {
  const line = find("#source");
  const text = Fault || (AsOf === null ? "" : blockText(AsOf));
  if (line.textContent !== text) line.textContent = text;
}

/** @param {{ Block: string, BlockHash?: string, BlockTime?: number }} block */
function blockText({ Block, BlockHash, BlockTime }) {
  const time = BlockTime === undefined ? "" : `: ${momentText(new Date(1000 * BlockTime).toISOString())}`;
  return `As of ${BlockHash === undefined ? "slot" : "block"} ${groupedText(BigInt(Block))}${time}`;
}

function isSettled() {
  return find("#status").dataset["status"] === "settled";
}

/** @param {import("./feed.js").Body} next */
function take(next) {
  const isOtherwise = body !== undefined && showsTheSame(next, body);
  body = next;
  draw();
  // A change that no figure shows is a change of name or status.
  if (isOtherwise) setTimeout(() => void refreshSummary(), SUMMARY_DELAY_MS);
}

/**
 * Compares objects: commitments that a difference doesn't change are the same objects.
 *
 * @param {import("./feed.js").Body} next
 * @param {import("./feed.js").Body} before
 */
function showsTheSame({ Commitments, ...totals }, { Commitments: listed, ...before }) {
  const isSameList = Commitments.length === listed.length && Commitments.every((each, index) => each === listed[index]);
  return isSameList && JSON.stringify(totals) === JSON.stringify(before);
}

/**
 * @param {readonly import("./feed.js").Commitment[]} commitments
 * @param {import("./figures.js").Units} units
 */
function rowsOf(commitments, units) {
  const key = JSON.stringify(units);
  if (key !== rowsKey) knownRows = new WeakMap();
  rowsKey = key;
  return commitments.map((commitment) => {
    const row = knownRows.get(commitment) ?? rowOf(commitment, units);
    knownRows.set(commitment, row);
    return row;
  });
}

async function refreshSummary() {
  if (document.hidden) return;
  const answer = await fetchInTime(location.pathname, { headers: { accept: "text/html" } }).catch(() => undefined);
  // Without an answer the stream is silent, too, and shows that.
  if (answer === undefined) return;
  // The page of a sale that isn't public any more says so.
  if (answer.status === 404) location.reload();
  const text = answer.ok ? await answer.text().catch(() => undefined) : undefined;
  if (text !== undefined) showSummary(new DOMParser().parseFromString(text, "text/html"));
}

/** @param {Document} fresh the page as it is now */
function showSummary(fresh) {
  for (const id of SUMMARY_IDS) {
    const [shown, now] = [document.getElementById(id), fresh.getElementById(id)];
    if (shown !== null && now !== null && shown.outerHTML !== now.outerHTML) shown.replaceWith(document.adoptNode(now));
  }
  document.title = fresh.title;
  if (isSettled()) isPaused = false;
  showState();
  draw();
}

function follow() {
  new Feed(`${api}/commitment-data/stream`, {
    onBody: take,
    onLiveness: (next) => {
      liveness = next;
      showState();
      if (next.name === "unknown") void refreshSummary();
    },
    onHeartbeat: (state) => {
      showSource(state);
      // The curve reaches to now though the total stays the same.
      draw();
    },
  });
}

/** Loads the charts' script once one of them is near the visible part of the page. */
function watchCharts() {
  const figures = document.querySelectorAll("figure[data-chart]");
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      void startCharts();
    },
    { rootMargin: CHART_MARGIN },
  );
  for (const figure of figures) observer.observe(figure);
}

async function startCharts() {
  try {
    const { Charts } = await import("./charts.js");
    const started = new Charts(api, currency);
    await started.start();
    charts = started;
    draw();
  } catch {
    setTimeout(() => void startCharts(), CHARTS_RETRY_MS);
  }
}

pause.addEventListener("click", () => {
  isPaused = !isPaused;
  showState();
  draw();
});

for (const button of document.querySelectorAll("button[data-copies]")) {
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.getAttribute("data-copies") ?? "");
    if (!(source instanceof HTMLDataElement)) return;
    const text = await navigator.clipboard.writeText(source.value).then(
      () => "Copied",
      () => "Copying isn’t allowed here",
    );
    find("#copied").textContent = text;
    button.classList.add("done");
    setTimeout(() => {
      find("#copied").textContent = "";
      button.classList.remove("done");
    }, COPIED_MS);
  });
}

setInterval(() => void refreshSummary(), SUMMARY_INTERVAL_MS);
showState();
follow();
watchCharts();
