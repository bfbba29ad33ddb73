// @ts-check
// The form of the page of checks. What compares is loaded once somebody asks for it.

import { findReaders } from "../../web/browser/injected-wallets.js";
import { fill, fillCounted } from "../../web/browser/message.js";
import { ADDRESS_FORMS } from "./look-up-rules.js";
import { countText } from "./numbers.js";
import { language, texts } from "./words.js";

/**
 * @typedef {import("../verify/compare-in-browser.ts").ComparedSale} ComparedSale
 * @typedef {import("../../../common/verify/verdict.ts").Verdict} Verdict
 */

const SALE_PAGE = /^\/sales\/[0-9a-f-]{36}\/?$/i;
/** The names of the texts for what is compared. */
const CHECKS = /** @type {const} */ ({
  contract: "contract",
  block: "block",
  "sale UUID": "saleUuid",
  stage: "stage",
  status: "status",
  "permit signer": "permitSigner",
  "payment tokens": "paymentTokens",
  "token decimals": "tokenDecimals",
  "token symbols": "tokenSymbols",
  commitments: "commitments",
  total: "total",
  count: "count",
  "clearing price": "clearingPrice",
  latest: "latest",
  accepted: "accepted",
  wallet: "wallet",
});
/** A node at this machine may be without TLS, as nobody else reads what it answers. */
const LOCAL_HOSTS = ["localhost", "127.0.0.1"];

const form = /** @type {HTMLFormElement} */ (document.getElementById("compare"));
const status = elementOf("compare-state");
const progress = /** @type {HTMLProgressElement} */ (document.getElementById("compare-progress"));
const stop = elementOf("compare-stop");
const outcome = elementOf("compare-outcome");
const sale = fieldOf("compare-sale");
const node = fieldOf("compare-node");
const contract = fieldOf("compare-contract");

/** Ends the comparison that is under way. @type {AbortController | undefined} */
let running;

sale.value ||= addressOfSale();
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const isNamed = isEntered(sale, isSale(sale.value)) && isEntered(node, isNode(node.value));
  if (isNamed && isEntered(contract, isContract(contract.value))) void compare(node.value.trim());
});
stop.addEventListener("click", () => running?.abort());
findReaders(texts().compare.unnamed, ({ name, read }) => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "secondary";
  button.textContent = fill(texts().compare.through, { wallet: name });
  button.addEventListener("click", () => {
    const isNamed = isEntered(sale, isSale(sale.value)) && isEntered(contract, isContract(contract.value));
    if (read !== undefined && isNamed) void compare((method, params) => read(method, params));
  });
  elementOf("compare-wallets").append(button);
  return button;
});

/** The page of the sale whose link led here. */
function addressOfSale() {
  const uuid = new URLSearchParams(location.search).get("sale") ?? "";
  return SALE_PAGE.test(`/sales/${uuid}`) ? `${location.origin}/sales/${uuid}` : "";
}

/** @param {ComparedSale["node"]} from */
async function compare(from) {
  running?.abort();
  const own = new AbortController();
  running = own;
  const { compare: words } = texts();
  outcome.replaceChildren();
  show(words.loading, true);
  try {
    const { compareInBrowser } = await import(/** @type {any} */ ("./compare-in-browser.js"));
    if (!own.signal.aborted) show(words.reading, true);
    /** @type {import("../verify/compare-in-browser.ts").Comparison} */
    const result = await compareInBrowser({
      address: sale.value.trim(),
      node: from,
      contract: expectedContract(),
      signal: own.signal,
      onProgress: (/** @type {number} */ read, /** @type {number} */ all) => {
        if (running === own) showProgress(read, all);
      },
    });
    if (running !== own) return;
    if ("verdict" in result) showVerdict(result.verdict);
    else show(fill(words.failed, { problem: result.problem }), false);
  } catch {
    if (running === own) show(own.signal.aborted ? words.stopped : words.broke, false);
  } finally {
    if (running === own) running = undefined;
  }
}

/** The contract that was entered, as figures have it. */
function expectedContract() {
  const entered = contract.value.trim();
  if (entered === "") return undefined;
  return entered.startsWith("0x") ? entered.toLowerCase() : entered;
}

/** @param {number} read @param {number} all */
function showProgress(read, all) {
  progress.max = Math.max(all, 1);
  progress.value = read;
  const counts = { read: countText(BigInt(read), language()), all: countText(BigInt(all), language()) };
  status.textContent = fill(texts().compare.progress, counts);
}

/** @param {string} text @param {boolean} isRunning */
function show(text, isRunning) {
  status.removeAttribute("data-state");
  status.textContent = text;
  progress.hidden = !isRunning;
  stop.hidden = !isRunning;
  if (isRunning) progress.removeAttribute("value");
}

/** @param {Verdict} verdict */
function showVerdict(verdict) {
  const { compare: words } = texts();
  const { differences } = verdict;
  const isSame = differences === 0;
  show(isSame ? words.same : fillCounted(words.differs, differences, language(), {}), false);
  status.setAttribute("data-state", isSame ? "same" : "differs");
  outcome.replaceChildren(
    textElement("p", restsOn(verdict)),
    textElement("h3", words.checks),
    checksOf(verdict),
    ...listOf(words.differences, verdict.findings.map(findingText)),
    ...listOf(words.remarks, verdict.remarks),
  );
}

/** @param {Verdict} verdict */
function restsOn({ name, source, figuresAt, node: host }) {
  const { compare: words } = texts();
  const height = countText(figuresAt.height, language());
  const place = { sale: name, contract: source.address, height, node: host ?? "" };
  return fill(host === undefined ? words.notRead : words.at[source.kind], place);
}

/** @param {Verdict} verdict */
function checksOf({ checks }) {
  const { compare: words } = texts();
  const list = document.createElement("dl");
  list.className = "checks";
  for (const { name, outcome: result, detail } of checks) {
    const row = document.createElement("div");
    row.setAttribute("data-outcome", result);
    const said = textElement("dd", words.outcomes[result]);
    const more = textElement("dd", detail);
    more.lang = "en";
    row.append(textElement("dt", words.names[CHECKS[name]]), said, more);
    list.append(row);
  }
  return list;
}

/** @param {Verdict["findings"][number]} finding */
function findingText({ subject, shown, chain }) {
  return fill(texts().compare.finding, { subject, shown, chain });
}

/**
 * Returns a list below a title; nothing without entries.
 *
 * @param {string} title
 * @param {readonly string[]} entries
 */
function listOf(title, entries) {
  if (entries.length === 0) return [];
  const list = document.createElement("ul");
  list.lang = "en";
  list.append(...entries.map((entry) => textElement("li", entry)));
  return [textElement("h3", title), list];
}

/** @param {string} name @param {string} text */
function textElement(name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

/** Says what is wrong with a field, if it is. @param {HTMLInputElement} field @param {boolean} isRight */
function isEntered(field, isRight) {
  const error = elementOf(`${field.id}-error`);
  error.hidden = isRight;
  if (isRight) field.removeAttribute("aria-invalid");
  else {
    field.setAttribute("aria-invalid", "true");
    field.focus();
  }
  return isRight;
}

/** @param {string} text */
function isSale(text) {
  const url = urlOf(text);
  return url !== undefined && isHttp(url) && SALE_PAGE.test(url.pathname);
}

/** @param {string} text */
function isNode(text) {
  const url = urlOf(text);
  return url !== undefined && isHttp(url);
}

/** @param {string} text */
function urlOf(text) {
  return URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
}

/** @param {string} text */
function isContract(text) {
  const entered = text.trim();
  return entered === "" || Object.values(ADDRESS_FORMS).some((form) => form.test(entered));
}

/** Whether the page may connect to a URL. @param {URL} url */
function isHttp({ protocol, hostname, origin }) {
  const isLocal = LOCAL_HOSTS.includes(hostname) || origin === location.origin;
  return protocol === "https:" || (protocol === "http:" && isLocal);
}

/** @param {string} id */
function fieldOf(id) {
  return /** @type {HTMLInputElement} */ (document.getElementById(id));
}

/** @param {string} id */
function elementOf(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
