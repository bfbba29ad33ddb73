import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import { fill } from "../../../common/platform/language/message.ts";
import type { Figure, Units } from "../../../common/sale/words/figure.ts";
import type { Html } from "../../web/pages/layout.ts";
import { addressHint, type WalletKind } from "../browser/look-up-texts.js";
import { type Bid, isMoving, type PositionView } from "../browser/position-view.js";
import { texts } from "../browser/words.js";
import { inLanguage } from "../view/in-language.ts";

/** The facts about a sale that looking up a wallet needs. */
export interface LookUpSale {
  readonly saleUuid: string;
  /** Path of the public read of positions. */
  readonly readPath: string;
  readonly walletKind: WalletKind;
  readonly units: Units;
  /** Unit that prices are for. */
  readonly perToken: string;
  readonly language: Language;
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
const NO_BID: Bid = {
  state: "counts",
  badge: "",
  detail: "",
  amount: NO_FIGURE,
  price: NO_FIGURE,
  time: "",
  moment: "",
  id: NO_FIGURE,
};

/** Returns the part of a sale's page that looks up a wallet: empty, or with the answer to a form that was sent without script. */
export function lookUpSection(sale: LookUpSale, answer?: LookUpAnswer): Html {
  return inLanguage(sale.language, () => sectionOf(sale, answer));
}

function sectionOf(sale: LookUpSale, answer: LookUpAnswer | undefined): Html {
  const { position, error, trouble, wallet = "" } = answer ?? {};
  return html`<section class="panel look-up" id="look-up" aria-labelledby="look-up-title" ${dataOf(sale)}${position && html` data-wallet="${wallet}"`}>
<h2 id="look-up-title">${texts().lookUp.title}</h2>
${formOf(sale, wallet, error)}
<div id="wallets" hidden><div class="actions"></div><p id="wallets-state" role="status"></p></div>
<p id="position-trouble" class="notice" role="status">${trouble ?? ""}</p>
<p id="position-summary" role="status">${position?.summary ?? ""}</p>
${positionOf(sale, position)}
<template id="bid">${bidOf(NO_BID, sale)}</template>
</section>`;
}

function dataOf({ saleUuid, readPath, walletKind, units }: LookUpSale): Html {
  const { payment, offered, symbol, dollars } = units;
  return html`data-sale="${saleUuid}" data-read="${readPath}" data-kind="${walletKind}" data-payment="${payment}" data-symbol="${symbol ?? ""}"${offered !== undefined && html` data-offered="${offered}"`}${dollars ? html` data-dollars` : ""}`;
}

function formOf({ saleUuid, walletKind }: LookUpSale, wallet: string, error: string | undefined): Html {
  const { lookUp } = texts();
  const invalid = error !== undefined && html` aria-invalid="true"`;
  return html`<form method="post" action="/sales/${saleUuid}#look-up" novalidate>
<label for="wallet">${lookUp.address}</label>
<p class="hint" id="wallet-hint">${fill(lookUp.hint, { form: addressHint(walletKind) })}</p>
<p class="field-error" id="wallet-error"${error === undefined ? html` hidden` : ""} role="alert">${error ?? ""}</p>
<div class="entry"><input id="wallet" name="wallet" value="${wallet}" maxlength="${MAX_ENTRY}" required aria-describedby="wallet-error wallet-hint" autocomplete="off" autocapitalize="none" spellcheck="false"${invalid}>
<button class="secondary">${lookUp.submit}</button></div>
</form>`;
}

function positionOf(sale: LookUpSale, position: PositionView | undefined): Html {
  const { bids = [], wallet = NO_FIGURE, nextPage = "" } = position ?? {};
  const { lookUp } = texts();
  return html`<div id="position"${hiddenUnless(position !== undefined)}>
<div class="subject"><h3 id="position-wallet" tabindex="-1" title="${wallet.exact}">${wallet.text}</h3><button type="button" class="link needs-script" id="forget">${lookUp.forget}</button></div>
<p id="position-none"${hiddenUnless(bids.length === 0)}>${lookUp.unknown}</p>
${outcomeOf(position)}
<ul id="bids">${bids.map((bid) => bidOf(bid, sale))}</ul>
<p id="position-changes" class="quiet"${hiddenUnless(isMoving(bids))}>${lookUp.changes}</p>
<form id="more" method="post" action="/sales/${sale.saleUuid}#look-up"${hiddenUnless(nextPage !== "")}>
<p>${lookUp.hasMore}</p><input type="hidden" name="wallet" value="${wallet.exact}"><input type="hidden" name="page" value="${nextPage}"><button class="secondary small">${lookUp.more}</button>
</form></div>`;
}

/** Returns what the sale accepts of a wallet, once it is settled. */
function outcomeOf(position: PositionView | undefined): Html {
  const { accepted, paidBack, differs = false } = position ?? {};
  const { lookUp } = texts();
  return html`<dl class="outcome">${outcome("accepted", lookUp.accepted, accepted)}${outcome("paid-back", lookUp.paidBack, paidBack)}</dl>
<p id="position-differs" class="notice"${hiddenUnless(differs)}>${lookUp.differs}</p>`;
}

function outcome(name: string, label: string, figure: Figure | undefined): Html {
  const { text, exact } = figure ?? NO_FIGURE;
  return html`<div${hiddenUnless(figure !== undefined)}><dt>${label}</dt><dd id="position-${name}" title="${exact}">${text}</dd></div>`;
}

/** Returns a commitment as `showBids` of the page's script fills it. */
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
