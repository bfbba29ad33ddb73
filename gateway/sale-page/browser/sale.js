// @ts-check
// Keeps the page of a sale current. Without this script the page shows the figures at the time when it was loaded.

import { pageClock } from "./clock.js";
import { CountdownView } from "./countdown-view.js";
import { Feed } from "./feed.js";
import { perToken, unitsOf } from "./figures.js";
import { fillRow, newRow, showTiles } from "./figures-view.js";
import { livenessText } from "./liveness.js";
import { paced } from "./pace.js";
import { rowOf } from "./row-texts.js";
import { hasEnded } from "./sale-rules.js";
import { currencyOf, noteFacts, shownFacts } from "./sale-texts.js";
import { sourceText } from "./source-text.js";
import { tilesOf } from "./tiles.js";
import { showTimedSentence, showTimes, utcText } from "./times-view.js";
import { loadLaterTexts, texts } from "./words.js";

const CHARTS_RETRY_MS = 10_000;
/** The least time between two drawings of the charts: they are most of the work, and change by less than a pixel in it. */
const CHARTS_INTERVAL_MS = 1_000;

/** @param {string} selector */
const find = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
const main = find("main");
const currency = { dollars: "dollars" in main.dataset, symbol: main.dataset["symbol"] ?? "" };
const api = main.dataset["api"] ?? "";
const clock = pageClock(api);
/** The facts that this script shows. */
let facts = shownFacts();
const countdown = new CountdownView(clock, facts, showStage);
const table = find("#latest tbody");
const state = find("#state");
const pause = find("#pause");

/** @type {import("./feed.js").Body | undefined} */
let body;
/** @type {import("./liveness.js").Liveness} */
let liveness = { name: "connecting", since: 0, fault: "" };
/** The origin of the latest figures. @type {import("./source-text.js").Source | undefined} */
let source;
/** @type {import("./freshness.js").Paused | undefined} */
let paused;
/** The units of the latest figures. */
let shownUnits = unitsOf({ TotalCommitmentAmount: "0", UniqueCommitmentCount: 0, PaymentTokenDecimals: 0 }, currency);
let rowsKey = "";
/** Rows of commitments, kept since most of them stay the same from one drawing to the next.
 * @type {WeakMap<import("./feed.js").Commitment, import("./row-texts.js").Row>} */
let knownRows = new WeakMap();
/** @type {import("./charts.js").Charts | undefined} */
let charts;
/** @type {import("./page-texts.js").PageTexts | undefined} */
let pageTexts;
/** The figures of the latest `tidemark:drawn`. @type {import("./feed.js").Body | undefined} */
let announced;

const draw = paced(() => {
  if (paused) return;
  drawFigures();
  drawChartsSoon();
});

const drawChartsSoon = paced(() => {
  if (!paused) drawCharts();
}, CHARTS_INTERVAL_MS);

function drawCharts() {
  if (body !== undefined) charts?.update(body, facts, shownLiveness(), source);
}

function drawFigures() {
  if (body === undefined) return;
  const units = unitsOf(body, currency);
  shownUnits = units;
  showTiles(tilesOf(facts, body, units));
  for (const head of document.querySelectorAll("[data-per]")) write(head, perToken(units));
  showRows(rowsOf(body.Commitments, units));
  // For parts of the page with scripts of their own. Times that go on are drawn again without a change of figures.
  if (body !== announced) document.dispatchEvent(new Event("tidemark:drawn"));
  announced = body;
}

/**
 * @param {Element} element
 * @param {string} text
 */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
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
  const { name, since } = shownLiveness();
  state.dataset["state"] = name;
  write(state, name === "paused" ? texts().live.paused : livenessText({ name, since }));
  state.title = since === 0 ? "" : utcText(since);
  pause.hidden = isSettled();
  pause.textContent = texts().live[paused ? "resume" : "pause"];
}

/** @returns {import("./freshness.js").ShownLiveness} */
function shownLiveness() {
  if (isSettled()) return { name: "settled", since: 0, fault: "" };
  return paused ?? liveness;
}

/** Shows how fresh the figures are. The script for that is there before it is needed, unless no server has ever answered. */
async function showFreshness() {
  showState();
  draw();
  try {
    await loadLaterTexts();
    (await import("./freshness-view.js")).showFreshness(shownLiveness());
  } catch {
    // The line of the state says it all the same.
  }
}

/** Shows where the sale is. All that a page says of it follows from one rule. @param {import("./stage-texts.js").StageTexts} stage */
function showStage({ phase, status, title, text }) {
  const badge = find("#status");
  if (phase === "settled") setPaused();
  const isNew = badge.dataset["status"] !== phase;
  badge.dataset["status"] = phase;
  write(badge, status);
  write(find("#stage"), title);
  write(find("#stage-text"), text);
  const site = document.getElementById("site");
  if (site !== null) showSite(site, hasEnded(phase));
  showState();
  if (!isNew) return;
  document.dispatchEvent(new Event("tidemark:phase"));
  if (phase === "settled") void import("./result-link.js").then(({ showResultLink }) => showResultLink(pause));
}

/**
 * Shows the link to the founder's site, where one can take part until bidding has ended.
 *
 * @param {HTMLElement} link
 * @param {boolean} isOver
 */
function showSite(link, isOver) {
  link.classList.toggle("primary", !isOver);
  link.classList.toggle("secondary", isOver);
  write(link, link.dataset[isOver ? "over" : "open"] ?? "");
}

/** Says what the figures are of; those of a page that is paused stay what they were. */
function showSource() {
  if (!source || paused) return;
  const { sentence, time } = sourceText(source);
  showTimedSentence(find("#source"), sentence, time);
}

/** @param {typeof paused} [next] */
function setPaused(next) {
  paused = next;
  showSource();
  // The last ones before a pause: later ones would be of another block than the page names.
  if (!next) return;
  drawFigures();
  drawCharts();
}

function isSettled() {
  return find("#status").dataset["status"] === "settled";
}

/** @param {import("./feed.js").SaleFacts} next */
function takeSale(next) {
  facts = next;
  noteFacts(next);
  Object.assign(currency, currencyOf(next));
  void countdown.update(next);
  showState();
  draw();
  // Without it, the next state of the sale tries again.
  void keepTexts(next).catch(() => undefined);
}

/** Loads what keeps the texts current that only the server writes. @param {import("./feed.js").SaleFacts} next */
async function keepTexts(next) {
  const { PageTexts } = await import("./page-texts.js");
  pageTexts ??= new PageTexts(main, () => {
    void showFreshness();
    void countdown.update(facts);
    showTimes();
    void offerCopies();
  });
  pageTexts.update(next);
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

async function offerCopies() {
  const copying = await import("./copying.js");
  copying.offerCopying();
  return copying;
}

function follow() {
  new Feed(`${api}/commitment-data/stream`, {
    onBody: (next) => {
      if (body === undefined) void startCharts();
      body = next;
      draw();
    },
    onSale: takeSale,
    onLiveness: (next) => {
      liveness = next;
      void showFreshness();
    },
    onHeartbeat: (next) => {
      source = next;
      showSource();
      // The curve reaches to now though the total stays the same.
      draw();
    },
  });
}

/** Loads the charts once there are figures, in sight or not: later they may be printed, or the server may be away. */
async function startCharts() {
  try {
    await loadLaterTexts();
    const { Charts } = await import("./charts.js");
    const started = new Charts(api, currency);
    await started.start();
    charts = started;
    draw();
    await startTrying();
  } catch {
    setTimeout(() => void startCharts(), CHARTS_RETRY_MS);
  }
}

/** Loads what works out a bid, where bids are made. */
async function startTrying() {
  const section = document.getElementById("what-if");
  if (section === null || section.childElementCount > 1) return;
  const { startWhatIf } = await import("./what-if.js");
  startWhatIf(section, api, () => shownUnits);
}

pause.addEventListener("click", () => {
  setPaused(paused ? undefined : { name: "paused", since: Date.now(), before: liveness });
  void showFreshness();
});

async function startCountdown() {
  await clock.refresh();
  countdown.draw();
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) void startCountdown();
});

void offerCopies().then(({ watchCopying }) => watchCopying(find("#copied")));
showState();
showTimes();
follow();
void startCountdown();
