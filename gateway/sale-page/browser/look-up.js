// @ts-check
// Looks a wallet up on the page of a sale, and follows it. Without this script the form is sent to the server, which
// answers with the same page.

import { findWallets, walletProblem } from "../../web/browser/injected-wallets.js";
import { fill } from "../../web/browser/message.js";
import { showBids } from "./bids.js";
import { pageClock } from "./clock.js";
import { readDemand } from "./demand.js";
import { perToken } from "./figures.js";
import { brokenRule, refusalText, ruleText } from "./look-up-texts.js";
import { setOwnBids } from "./own-bids.js";
import { PositionFollower } from "./position-follower.js";
import { needsDemand, positionView } from "./position-view.js";
import { showReceipt } from "./receipt.js";
import { shownFacts } from "./sale-texts.js";
import { language, texts } from "./words.js";

/** Name of the wallet in the page's fragment, which no server and no log gets. */
const FRAGMENT_NAME = "wallet";

/** @typedef {import("./look-up-texts.js").WalletKind} WalletKind */

/** @param {string} selector */
const find = (selector) => /** @type {HTMLElement} */ (section.querySelector(selector));
const section = /** @type {HTMLElement} */ (document.querySelector("#look-up"));
const form = /** @type {HTMLFormElement} */ (find("form"));
const input = /** @type {HTMLInputElement} */ (find("#wallet"));
const more = find("#more");
const { sale = "", read = "", kind = "", offered, symbol = "", dollars } = section.dataset;
const main = /** @type {HTMLElement} */ (section.closest("main"));
const api = main.dataset["api"] ?? "";
const clock = pageClock(api);
const walletKind = /** @type {WalletKind} */ (kind);
const units = {
  payment: 0,
  offered: offered === undefined ? undefined : Number(offered),
  symbol,
  dollars: dollars !== undefined,
  language: language(),
};
/** The wallet that is shown or asked for; empty for none. */
let current = "";
/** Token of the next page of its commitments; empty for none. */
let nextToken = "";
/** Shows the last answer again, when the sale has gone on. @type {(() => void) | undefined} */
let showAgain;

const follower = new PositionFollower(read, sale, {
  onPosition: (position, isLater) => void withDemand(position, isLater),
  onCurrent: () => showTrouble(""),
  onTrouble: (status) => showTrouble(`${refusalText(status)} ${texts().lookUp.again}`),
  onRefused: (rule) => {
    forget();
    showError(ruleText(rule, walletKind));
  },
});

/**
 * Shows a position with what the sale's demand says of it, where one of its bids may have to be raised.
 *
 * @param {import("./position-follower.js").Position} position
 * @param {boolean} isLater
 */
async function withDemand(position, isLater) {
  const asked = current;
  const levels = needsDemand(position) ? await readDemand(api) : undefined;
  // Another wallet may have been asked for since.
  if (asked === current) showPosition(position, isLater, levels);
}

/**
 * @param {import("./position-follower.js").Position} position
 * @param {boolean} isLater
 * @param {import("./position-view.js").LookedUpSale["levels"]} levels
 */
function showPosition(position, isLater, levels) {
  showAgain = () => showPosition(position, isLater, levels);
  const facts = shownFacts();
  // Before the server has said the time, the page's own has to do.
  const now = clock.now ?? performance.timeOrigin + performance.now();
  const shown = positionView(position, { facts, units, now, levels }, isLater);
  const { wallet, summary, bids, none, note, outcomes, differs, nextPage } = shown;
  showTrouble("");
  find("#position").hidden = false;
  setText("#position-wallet", wallet.text);
  find("#position-wallet").title = wallet.exact;
  // It has the number in each state, so that it is read aloud when a state changes, and not when an amount does.
  setText("#position-summary", summary);
  showPart("#position-none", none);
  showPart("#position-note", note);
  showOutcomes(outcomes);
  showPart("#position-differs", differs ? texts().lookUp.differs : "");
  showBids(find("#bids"), perToken(units), bids);
  showReceipt(find("#position"), shown, facts.Status === "settled");
  setOwnBids(position.Commitments.filter(({ Counted }) => Counted).map(priceOf));
  nextToken = nextPage;
  showMore(nextPage);
}

/** Offers the next page; nothing for an empty token. @param {string} nextPage */
function showMore(nextPage) {
  more.hidden = nextPage === "";
  if (more.hidden || more.childElementCount > 0) return;
  const [line, button] = [document.createElement("p"), document.createElement("button")];
  line.textContent = texts().lookUp.hasMore;
  button.textContent = texts().lookUp.more;
  button.className = "secondary small";
  more.append(line, button);
}

/** @param {import("./position-view.js").PositionCommitment} commitment */
function priceOf({ PriceNumerator, PriceDenominator }) {
  return { numerator: PriceNumerator, denominator: PriceDenominator };
}

/** @param {string} text */
function showTrouble(text) {
  setText("#position-trouble", text);
}

/** Shows what is wrong with the entry; nothing for an empty text. @param {string} text */
function showError(text) {
  setText("#wallet-error", text);
  find("#wallet-error").hidden = text === "";
  if (text === "") input.removeAttribute("aria-invalid");
  else input.setAttribute("aria-invalid", "true");
}

/**
 * @param {string} selector
 * @param {string} text
 */
function setText(selector, text) {
  const element = find(selector);
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Shows a paragraph, unless it is empty.
 *
 * @param {string} selector
 * @param {string} text
 */
function showPart(selector, text) {
  setText(selector, text);
  find(selector).hidden = text === "";
}

/** Shows what the sale accepts of the wallet. @param {readonly import("./position-view.js").Outcome[]} outcomes */
function showOutcomes(outcomes) {
  const entries = outcomes.map(({ label, figure }) => {
    const entry = document.createElement("div");
    const [name, value] = [document.createElement("dt"), document.createElement("dd")];
    name.textContent = label;
    value.textContent = figure.text;
    value.title = figure.exact;
    entry.append(name, value);
    return entry;
  });
  const list = find("#outcome");
  const isShown = entries.map(({ outerHTML }) => outerHTML).join("") === list.innerHTML;
  if (!isShown) list.replaceChildren(...entries);
}

/** Looks up the wallet that the fragment names. */
function followFragment() {
  const wallet = new URLSearchParams(location.hash.slice(1)).get(FRAGMENT_NAME) ?? "";
  if (wallet === "") forget();
  else lookUp(wallet);
}

/** @param {string} wallet */
function lookUp(wallet) {
  const rule = brokenRule(wallet, walletKind);
  input.value = wallet;
  if (wallet !== current) hidePosition();
  current = wallet;
  showTrouble("");
  showError(rule === undefined ? "" : ruleText(rule, walletKind));
  if (rule !== undefined) follower.stop();
  else follower.follow(wallet);
}

function forget() {
  follower.stop();
  current = "";
  showTrouble("");
  showError("");
  hidePosition();
}

function hidePosition() {
  showAgain = undefined;
  setText("#position-summary", "");
  find("#position").hidden = true;
  setOwnBids([]);
}

/** @param {string} entry */
function enter(entry) {
  const wallet = entry.trim();
  const rule = brokenRule(wallet, walletKind);
  if (rule !== undefined) {
    showError(ruleText(rule, walletKind));
    input.focus();
  } else if (location.hash === fragmentOf(wallet)) lookUp(wallet);
  else location.hash = fragmentOf(wallet);
}

/** @param {string} wallet */
function fragmentOf(wallet) {
  return `#${new URLSearchParams({ [FRAGMENT_NAME]: wallet })}`;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  enter(input.value);
});

more.addEventListener("submit", (event) => {
  event.preventDefault();
  follower.follow(current, nextToken);
  find("#position-wallet").focus();
});

find("#forget").addEventListener("click", () => {
  input.value = "";
  history.pushState(null, "", location.pathname + location.search);
  forget();
  input.focus();
});

/** Adds the button of a wallet in this browser. @param {import("../../web/browser/injected-wallets.js").InjectedWallet} wallet */
function offer(wallet) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "secondary";
  button.textContent = fill(texts().lookUp.use, { wallet: wallet.name });
  button.addEventListener("click", () => void use(wallet));
  find("#wallets").append(button);
  return button;
}

/** @param {import("../../web/browser/injected-wallets.js").InjectedWallet} wallet */
async function use(wallet) {
  setText("#wallets-state", texts().lookUp.answer);
  try {
    const [account] = (await wallet.connect()).accounts;
    setText("#wallets-state", account === undefined ? texts().lookUp.noAccount : "");
    if (account !== undefined) enter(account);
  } catch (error) {
    // The texts have the names of the problems: refused, pending, failed.
    setText("#wallets-state", texts().lookUp[walletProblem(error)]);
  }
}

addEventListener("hashchange", followFragment);
document.addEventListener("tidemark:drawn", () => follower.note());
document.addEventListener("tidemark:phase", () => {
  showAgain?.();
  follower.note();
});
findWallets(
  {
    ...(walletKind !== "svm" && { evm: texts().lookUp.unnamed }),
    ...(walletKind !== "evm" && { svm: texts().lookUp.solana }),
  },
  offer,
);
// A page that the server has made for a wallet; from now on the fragment names it.
const { wallet: shown = "" } = section.dataset;
if (shown !== "") history.replaceState(null, "", fragmentOf(shown));
current = shown;
followFragment();
if (document.querySelector("a#rules") !== null) void import("./rules-view.js").catch(() => undefined);
if (document.querySelector("#wallet-check") !== null) void import("./wallet-check-view.js").catch(() => undefined);
