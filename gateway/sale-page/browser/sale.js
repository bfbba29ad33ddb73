// @ts-check
// Keeps the page of a sale current. Without this script the page shows the figures at the time when it was loaded.

import { Feed } from "./feed.js";
import { headFigures, rowOf, unitsOf } from "./figures.js";
import { paced } from "./pace.js";
import { fillRow, newRow } from "./rows.js";

/**
 * Interval at which the page checks for changes that the stream doesn't have: name, status, and figures that can't be
 * read any more.
 */
const SUMMARY_INTERVAL_MS = 60_000;
/** Delay after which the page has a change: the server makes it once a second, and caches may keep it for another. */
const SUMMARY_DELAY_MS = 2_100;
/** Distance from the visible part of the page at which charts are loaded. */
const CHART_MARGIN = "200px";
const COPIED_MS = 2_000;
/** Smallest age that is shown: caches in between may keep an answer for a second, and add its age. */
const LEAST_AGE_SECONDS = 5;

/** @param {string} selector */
const find = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
const main = find("main");
const dollars = "dollars" in main.dataset;
const api = main.dataset["api"] ?? "";
const table = find("#latest tbody");
const state = find("#state");
const pause = find("#pause");

/** @type {import("./feed.js").Body | undefined} */
let body;
/** @type {import("./feed.js").FeedState} */
let feedState = "connecting";
let isPaused = false;
let changedAt = "";
/** Time at which the figures were last known to be current; empty while they are. */
let staleSince = "";
let rowsKey = "";
/** Rows of commitments, kept since most of them stay the same from one drawing to the next.
 * @type {WeakMap<import("./feed.js").Commitment, import("./figures.js").Row>} */
let knownRows = new WeakMap();
/** @type {((body: import("./feed.js").Body) => void) | undefined} */
let updateCharts;

const draw = paced(() => {
  if (body === undefined || isPaused) return;
  const units = unitsOf(body, dollars);
  const { total, count, clearing } = headFigures(body, units);
  showFigure("total", total);
  showFigure("count", count);
  if (clearing !== undefined) showFigure("clearing", clearing);
  showRows(rowsOf(body.Commitments, units));
  updateCharts?.(body);
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
 * @param {readonly import("./figures.js").Row[]} rows
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
}

/** @returns {[name: string, text: string]} */
function stateText() {
  if (isPaused) return ["paused", "Paused"];
  if (feedState === "live" && staleSince !== "") return ["lost", `As of ${staleSince} UTC: can’t be read now`];
  if (feedState === "live") return ["live", "Live"];
  if (feedState === "connecting" && body === undefined) return ["connecting", "Connecting…"];
  return ["lost", changedAt === "" ? "Not live: trying again" : `Not live since ${changedAt} UTC: trying again`];
}

/** @param {import("./feed.js").Body} next */
function take(next) {
  const isOtherwise = body !== undefined && showsTheSame(next, body);
  body = next;
  setStale("");
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
  const answer = await fetch(location.pathname, { headers: { accept: "text/html" } }).catch(() => undefined);
  // Without an answer the stream has ended, too, and shows that.
  if (answer !== undefined) setStale(staleSinceOf(answer));
  if (answer?.ok !== true) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const id of ["name", "status"]) {
    const [shown, now] = [find(`#${id}`), fresh.getElementById(id)];
    if (now !== null && shown.outerHTML !== now.outerHTML) shown.replaceWith(document.adoptNode(now));
  }
  document.title = fresh.title;
}

/**
 * Returns the time since which the figures couldn't be confirmed; empty where they are current. An answer that
 * couldn't be confirmed has an age; beyond a bound there is no answer.
 *
 * @param {Response} answer
 */
function staleSinceOf({ ok, headers }) {
  if (!ok) return staleSince === "" ? timeText(Date.now()) : staleSince;
  const age = Number(headers.get("age"));
  return age < LEAST_AGE_SECONDS ? "" : timeText(Date.now() - age * 1000);
}

/** @param {string} since */
function setStale(since) {
  if (since === staleSince) return;
  staleSince = since;
  showState();
}

/** @param {number} at in milliseconds */
function timeText(at) {
  return new Date(at).toISOString().slice(11, 19);
}

function follow() {
  new Feed(`${api}/commitment-data/stream`, {
    onBody: take,
    onState: (next) => {
      if (feedState === "live" && next !== "live") changedAt = timeText(Date.now());
      feedState = next;
      showState();
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
  const { Charts } = await import("./charts.js");
  const charts = new Charts(api, dollars);
  await charts.start();
  updateCharts = (current) => charts.update(current);
  draw();
}

pause.addEventListener("click", () => {
  isPaused = !isPaused;
  pause.setAttribute("aria-pressed", String(isPaused));
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
