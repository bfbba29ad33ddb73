// @ts-check
// Looks a wallet up on the page of a sale, and follows it. Without this script the form is sent to the server, which
// answers with the same page.

import { findWallets, walletProblem } from "../../web/browser/injected-wallets.js";
import { fill } from "../../web/browser/message.js";
import { showBids } from "./bids.js";
import { brokenRule, refusalText, ruleText } from "./look-up-texts.js";
import { setOwnBids } from "./own-bids.js";
import { PositionFollower } from "./position-follower.js";
import { isMoving, positionView } from "./position-view.js";
import { language, texts } from "./words.js";

/** Name of the wallet in the page's fragment, which no server and no log gets. */
const FRAGMENT_NAME = "wallet";

/** @typedef {import("./look-up-texts.js").WalletKind} WalletKind */

/** @param {string} selector */
const find = (selector) => /** @type {HTMLElement} */ (section.querySelector(selector));
const section = /** @type {HTMLElement} */ (document.querySelector("#look-up"));
const form = /** @type {HTMLFormElement} */ (find("form"));
const input = /** @type {HTMLInputElement} */ (find("#wallet"));
const more = /** @type {HTMLFormElement} */ (find("#more"));
const { sale = "", read = "", kind = "", payment = "0", offered, symbol = "", dollars } = section.dataset;
const walletKind = /** @type {WalletKind} */ (kind);
const units = {
  payment: Number(payment),
  offered: offered === undefined ? undefined : Number(offered),
  symbol,
  dollars: dollars !== undefined,
  language: language(),
};
/** The wallet that is shown or asked for; empty for none. */
let current = "";

const follower = new PositionFollower(read, sale, {
  onPosition: showPosition,
  onCurrent: () => showTrouble(""),
  onTrouble: (status) => showTrouble(`${refusalText(status)} ${texts().lookUp.again}`),
  onRefused: (rule) => {
    forget();
    showError(ruleText(rule, walletKind));
  },
});

/**
 * @param {import("./position-follower.js").Position} position
 * @param {boolean} isLater
 */
function showPosition(position, isLater) {
  const shown = positionView(position, { ...units, payment: position.PaymentTokenDecimals }, isLater);
  const { wallet, summary, bids, accepted, paidBack, differs, nextPage } = shown;
  showTrouble("");
  find("#position").hidden = false;
  setText("#position-wallet", wallet.text);
  find("#position-wallet").title = wallet.exact;
  // It has the number in each state, so that it is read aloud when a state changes, and not when an amount does.
  setText("#position-summary", summary);
  find("#position-none").hidden = bids.length > 0;
  find("#position-changes").hidden = !isMoving(bids);
  showFigure("#position-accepted", accepted);
  showFigure("#position-paid-back", paidBack);
  find("#position-differs").hidden = !differs;
  showBids(find("#bids"), /** @type {HTMLTemplateElement} */ (find("#bid")), bids);
  setOwnBids(position.Commitments.filter(({ Counted }) => Counted).map(priceOf));
  more.hidden = nextPage === "";
  field(more, "page").value = nextPage;
}

/** @param {import("./position-view.js").PositionCommitment} commitment */
function priceOf({ PriceNumerator, PriceDenominator }) {
  return { numerator: PriceNumerator, denominator: PriceDenominator };
}

/**
 * @param {HTMLFormElement} of
 * @param {string} name
 */
function field(of, name) {
  return /** @type {HTMLInputElement} */ (of.elements.namedItem(name));
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
 * Shows a figure with its label, or neither.
 *
 * @param {string} selector
 * @param {import("./figures.js").Figure | undefined} figure
 */
function showFigure(selector, figure) {
  setText(selector, figure?.text ?? "");
  const element = find(selector);
  element.title = figure?.exact ?? "";
  element.parentElement?.toggleAttribute("hidden", figure === undefined);
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
  follower.follow(current, field(more, "page").value);
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
  button.className = "secondary small";
  button.textContent = fill(texts().lookUp.use, { wallet: wallet.name });
  button.addEventListener("click", () => void use(wallet));
  find("#wallets .actions").append(button);
  find("#wallets").hidden = false;
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
