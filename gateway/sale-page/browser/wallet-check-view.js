// @ts-check
// Lets a reader check the page with the wallet in their browser. Only some wallets read contracts for a page.

import { findReaders, walletProblem } from "../../web/browser/injected-wallets.js";
import { fill, fillCounted } from "../../web/browser/message.js";
import { fetchInTime } from "./deadline.js";
import { amountFigure, countText } from "./numbers.js";
import { shortText } from "./row-texts.js";
import { compareByWallet, comparedBlock, differenceKey } from "./wallet-check.js";
import { language, texts } from "./words.js";

/** Reads of the page's figures, of which one must find them unchanged. */
const ATTEMPTS = 4;
/** How often a difference is found before it is said, and the time between. The command that verifies does the same. */
const TIMES = 3;
const BETWEEN_MS = 2_000;

/** @typedef {import("./wallet-check.js").Shown} Shown */

/** @param {string} selector */
const find = (selector) => /** @type {HTMLElement} */ (part.querySelector(selector));
const part = /** @type {HTMLElement} */ (document.querySelector("#wallet-check"));
const main = /** @type {HTMLElement} */ (part.closest("main"));
const { api = "", symbol = "", dollars } = main.dataset;
const { read: positions = "", sale = "" } = part.dataset;

part.replaceChildren(
  element("h3", { textContent: texts().check.title }),
  element("p", { textContent: texts().check.hint, className: "quiet" }),
  element("div", { className: "actions" }),
  element("p", { id: "wallet-check-state", role: "status" }),
  element("ul", {}),
);
findReaders(texts().lookUp.unnamed, (wallet) => {
  const button = element("button", { type: "button", className: "secondary small" });
  button.textContent = fill(texts().check.use, { wallet: wallet.name });
  button.addEventListener("click", () => void check(wallet));
  find(".actions").append(button);
  part.hidden = false;
  return button;
});

/** @param {import("../../web/browser/injected-wallets.js").InjectedWallet} wallet */
async function check(wallet) {
  say(texts().lookUp.answer, []);
  try {
    const [account] = (await wallet.connect()).accounts;
    if (account === undefined || wallet.read === undefined) return say(texts().lookUp.noAccount, []);
    say(texts().check.reading, []);
    const found = await comparisonFor(wallet.read, account.toLowerCase());
    if (found === undefined) return say(texts().check.changing, []);
    tell(found.comparison, found.shown);
  } catch (error) {
    const problem = walletProblem(error);
    say(problem === "failed" ? texts().check.unreadable : texts().lookUp[problem], []);
  }
}

/**
 * Compares until nothing differs, or the same has differed each time: page and node may be a block apart for a moment.
 *
 * @param {import("./wallet-check.js").Ask} read
 * @param {string} account
 * @returns {Promise<{ comparison: Awaited<ReturnType<typeof compareByWallet>>, shown: Shown } | undefined>} undefined where
 *   figures change all the time
 */
async function comparisonFor(read, account) {
  let before = "";
  for (let time = 1; ; time++) {
    const shown = await shownNow(account);
    if (shown === undefined) return undefined;
    const comparison = await compareByWallet(read, shown);
    const key = comparison.kind === "compared" ? differenceKey(comparison) : "";
    if (key === "" || (time === TIMES && key === before)) return { comparison, shown };
    if (time === TIMES || (before !== "" && key !== before)) return undefined;
    before = key;
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
  }
}

/**
 * Returns what the service shows of the sale and a wallet, all of one moment; undefined where it changes all the time.
 *
 * @param {string} wallet
 * @returns {Promise<Shown | undefined>}
 */
async function shownNow(wallet) {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const before = await answerOf(`${api}/commitment-data`);
    const body = JSON.stringify({ SaleUUID: sale, Wallet: wallet });
    const headers = { "content-type": "application/json" };
    const position = await (await answerOf(positions, { method: "POST", headers, body })).json();
    const facts = await (await answerOf(api)).json();
    const after = await answerOf(`${api}/commitment-data`);
    if (before.headers.get("etag") !== after.headers.get("etag") || !facts.AsOf) continue;
    const block = comparedBlock(facts.AsOf, after.headers.get("tidemark-changed-block"));
    return { facts, totals: await after.json(), block, position };
  }
  return undefined;
}

/**
 * @param {string} url
 * @param {RequestInit} [init]
 */
async function answerOf(url, init) {
  const answer = await fetchInTime(url, { ...init, cache: "no-store" });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  return answer;
}

/**
 * Says in words what was compared.
 *
 * @param {Awaited<ReturnType<typeof compareByWallet>>} comparison
 * @param {Shown} shown
 */
function tell(comparison, { facts, block, position }) {
  const { check } = texts();
  const { Contract } = facts;
  const at = { block: countText(BigInt(block.Block), language()), chain: String(Contract?.ChainID) };
  if (comparison.kind !== "compared") return say(fill(check[comparison.kind], at), []);
  const { total, count, own, differences } = comparison;
  const units = {
    payment: facts.PaymentTokenDecimals,
    offered: undefined,
    symbol,
    dollars: dollars !== undefined,
    language: language(),
  };
  const money = (/** @type {bigint} */ amount) => amountFigure(amount, units).exact;
  const number = (/** @type {bigint} */ value) => countText(value, language());
  const wallet = shortText(position.Wallet);
  const lines = [
    total === undefined ? check.noTotals : lineOf(total, money, check.totalSame, check.totalDiffers),
    ...(count === undefined ? [] : [lineOf(count, number, check.countSame, check.countDiffers)]),
    ...differences.map(({ id, kind, amount }) =>
      fill(check[kind], {
        id: shortText(id),
        shown: amount ? money(amount.shown) : "",
        read: amount ? money(amount.read) : "",
      }),
    ),
    ...(differences.length > 0
      ? []
      : [own === 0 ? fill(check.ownNone, { wallet }) : fillCounted(check.ownSame, own, language(), { wallet })]),
  ];
  const isSame =
    differences.length === 0 && [total, count].every((pair) => pair === undefined || pair.shown === pair.read);
  say(fill(isSame ? check.same : check.differs, at), lines, !isSame);
}

/**
 * @param {import("./wallet-check.js").Pair} pair
 * @param {(value: bigint) => string} text
 * @param {import("../../../common/platform/language/message.ts").Message<"figure">} same
 * @param {import("../../../common/platform/language/message.ts").Message<"shown" | "read">} differs
 */
function lineOf({ shown, read }, text, same, differs) {
  return shown === read ? fill(same, { figure: text(read) }) : fill(differs, { shown: text(shown), read: text(read) });
}

/**
 * @param {string} sentence
 * @param {readonly string[]} lines
 * @param {boolean} [isWarning]
 */
function say(sentence, lines, isWarning = false) {
  const state = find("#wallet-check-state");
  state.textContent = sentence;
  state.classList.toggle("notice", isWarning);
  find("ul").replaceChildren(...lines.map((textContent) => element("li", { textContent })));
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Readonly<Record<string, string>>} properties
 */
function element(name, properties) {
  return Object.assign(document.createElement(name), properties);
}
