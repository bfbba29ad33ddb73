import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import { fill } from "../../../common/platform/language/message.ts";
import type { Figure, Units } from "../../../common/sale/words/figure.ts";
import type { Html } from "../../web/pages/layout.ts";
import { allocationsPath } from "../allocations/allocations-path.ts";
import { addressHint, type WalletKind } from "../browser/look-up-texts.js";
import type { Bid, LookedUpSale, Outcome, PositionView } from "../browser/position-view.js";
import { texts } from "../browser/words.js";
import { inLanguage } from "../view/in-language.ts";

/** The facts about a sale that looking up a wallet needs. */
export interface LookUpSale {
  readonly saleUuid: string;
  /** Path of the public read of positions. */
  readonly readPath: string;
  readonly walletKind: WalletKind;
  readonly units: Units;
  readonly facts: LookedUpSale["facts"];
  /** Unit that prices are for. */
  readonly perToken: string;
  readonly language: Language;
  /** Path of the styles of what a wallet has committed, which the page itself loads later. */
  readonly positionStyles: string;
}

/** A look-up that the server has answered. */
export interface LookUpAnswer {
  /** The wallet as it was entered. */
  readonly wallet: string;
  readonly position?: PositionView;
  /** Words for what is wrong with the entry. */
  readonly error?: string;
  /** Words for why the wallet can't be looked up now. */
  readonly trouble?: string;
}

/** Longest address that fits into the field: longer than any, so that one with spaces around it can be pasted. */
const MAX_ENTRY = 80;
const NO_FIGURE: Figure = { text: "", exact: "" };

/** Returns the part of a sale's page that looks up a wallet: empty, or with the answer to a form that was sent without script. */
export function lookUpSection(sale: LookUpSale, answer?: LookUpAnswer): Html {
  return inLanguage(sale.language, () => sectionOf(sale, answer));
}

function sectionOf(sale: LookUpSale, answer: LookUpAnswer | undefined): Html {
  const { position, error, trouble, wallet = "" } = answer ?? {};
  return html`<section class="panel look-up" id="look-up" aria-labelledby="look-up-title" ${dataOf(sale)}${position && html` data-wallet="${wallet}"`}>
${position && html`<link rel="stylesheet" href="${sale.positionStyles}">`}<h2 id="look-up-title">${sale.facts.Status === "settled" ? texts().lookUp.results : texts().lookUp.title}</h2>
${formOf(sale, wallet, error)}
${
  sale.facts.Status === "settled" &&
  html`<p class="all-allocations"><a href="${allocationsPath(sale.saleUuid)}">${texts().result.all}</a></p>
`
}<p id="wallets-state" role="status"></p>
<p id="position-trouble" class="notice" role="status">${trouble ?? ""}</p>
<p id="position-summary" role="status">${position?.summary ?? ""}</p>
${positionOf(sale, position)}
</section>`;
}

function dataOf({ saleUuid, readPath, walletKind, units }: LookUpSale): Html {
  const { offered, symbol, dollars } = units;
  return html`data-sale="${saleUuid}" data-read="${readPath}" data-kind="${walletKind}" data-symbol="${symbol ?? ""}"${offered !== undefined && html` data-offered="${offered}"`}${dollars ? html` data-dollars` : ""}`;
}

function formOf({ saleUuid, walletKind }: LookUpSale, wallet: string, error: string | undefined): Html {
  const { lookUp } = texts();
  const invalid = error !== undefined && html` aria-invalid="true"`;
  return html`<form method="post" action="/sales/${saleUuid}#look-up" novalidate>
<label for="wallet">${lookUp.address}</label>
<p class="hint" id="wallet-hint">${fill(lookUp.hint, { form: addressHint(walletKind) })}</p>
<p class="field-error" id="wallet-error"${error === undefined ? html` hidden` : ""} role="alert">${error ?? ""}</p>
<div class="entry"><input id="wallet" name="wallet" value="${wallet}" maxlength="${MAX_ENTRY}" required aria-describedby="wallet-error wallet-hint" autocomplete="off" autocapitalize="none" spellcheck="false"${invalid}>
<div class="with-wallets"><button class="secondary">${lookUp.submit}</button><div id="wallets"></div></div></div>
</form>`;
}

function positionOf(sale: LookUpSale, position: PositionView | undefined): Html {
  const { bids = [], wallet = NO_FIGURE, none = "", note = "", nextPage = "" } = position ?? {};
  const { lookUp } = texts();
  return html`<div id="position"${hiddenUnless(position !== undefined)}>
<div class="subject"><h3 id="position-wallet" tabindex="-1" title="${wallet.exact}">${wallet.text}</h3><button type="button" class="link needs-script" id="forget">${lookUp.forget}</button></div>
<p id="position-none"${hiddenUnless(none !== "")}>${none}</p>
${outcomeOf(position)}
<ul id="bids">${bids.map((bid) => bidOf(bid, sale))}</ul>
<p id="position-note" class="quiet"${hiddenUnless(note !== "")}>${note}</p>
<form id="more" method="post" action="/sales/${sale.saleUuid}#look-up"${hiddenUnless(nextPage !== "")}>${nextPage !== "" && moreOf(wallet.exact, nextPage)}</form></div>`;
}

/** Returns the content of the form that leads to the next page, as the page's script writes it, too. */
function moreOf(wallet: string, nextPage: string): Html {
  const { lookUp } = texts();
  return html`<p>${lookUp.hasMore}</p><input type="hidden" name="wallet" value="${wallet}"><input type="hidden" name="page" value="${nextPage}"><button class="secondary small">${lookUp.more}</button>`;
}

/** Returns what the sale accepts of a wallet, once that is known. */
function outcomeOf(position: PositionView | undefined): Html {
  const { outcomes = [], differs = false } = position ?? {};
  return html`<dl class="outcome" id="outcome">${outcomes.map(outcome)}</dl>
<p id="position-differs" class="notice"${hiddenUnless(differs)}>${differs && texts().lookUp.differs}</p>`;
}

function outcome({ label, figure: { text, exact } }: Outcome): Html {
  return html`<div><dt>${label}</dt><dd title="${exact}">${text}</dd></div>`;
}

/** Returns a commitment as `showBids` of the page's script writes it. */
function bidOf({ state, badge, detail, amount, price, time, moment, id, whole }: Bid, { perToken }: LookUpSale): Html {
  const { lookUp, tile } = texts();
  return html`<li data-state="${state}"><p><strong class="badge" data-field="badge">${badge}</strong> <span class="quiet" data-field="detail">${detail}</span></p>
<dl>
<div><dt>${lookUp.amount}</dt><dd data-field="amount" title="${amount.exact}">${amount.text}</dd></div>
<div data-part${hiddenUnless(whole !== undefined)}><dt>${lookUp.whole}</dt><dd data-field="whole" title="${whole?.exact ?? ""}">${whole?.text ?? ""}</dd></div>
<div><dt>${fill(tile.price, { per: perToken })}</dt><dd data-field="price" title="${price.exact}">${price.text}</dd></div>
<div><dt>${lookUp.time}</dt><dd><time data-field="time" datetime="${time}">${moment}</time></dd></div>
<div><dt>${lookUp.commitment}</dt><dd data-field="id" title="${id.exact}">${id.text}</dd></div>
</dl></li>`;
}

function hiddenUnless(isShown: boolean): Html | string {
  return isShown ? "" : html` hidden`;
}
