import { html } from "hono/html";
import type { DefinitionLine } from "../../../common/sale/words/definition-lines.ts";
import { idInContract } from "../../../common/sale/words/source-problem.ts";
import { hiddenFields, textField } from "../../web/pages/fields.ts";
import type { Html } from "../../web/pages/layout.ts";
import { choiceField, selectField, tickField } from "../base/choice-fields.ts";
import { copyable } from "../base/dashboard-page.ts";
import { CHECK_PATH } from "../base/dashboard-paths.ts";
import { errorOf, type FormErrors } from "../base/form-errors.ts";
import { saidTexts } from "../base/said-text.ts";
import { texts } from "../base/texts.ts";
import type { KnownChains, SourceCheck } from "./check-source.ts";
import { labelOf, MAX_TOKENS, type SaleFormValues, TOKEN_FIELDS, type TokenFormValues } from "./sale-form-values.ts";
import { type FoundToken, tokenLine } from "./token-check.ts";

export const SALE_FORM = "sale settings";
/** ID of the form's element, by which a button outside belongs to it. */
export const SALE_FORM_ID = "sale-form";

/** The parts of a sale's form, which a new sale shows in steps. */
export interface SaleFormView {
  readonly sessionToken: string;
  readonly formValues: SaleFormValues;
  readonly errors: FormErrors;
  readonly known: KnownChains;
  /** Meaning of the form's values, as far as they can be read. */
  readonly lines: readonly DefinitionLine[];
  readonly check?: SourceCheck | undefined;
  /** The facts of the payment tokens on the chain, in their order. */
  readonly found?: readonly FoundToken[] | undefined;
  /** Address that the form is sent to, and its fields besides the form's values. */
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** UUID of the sale, which may not exist yet. */
  readonly saleUuid: string;
  /** Number of payment tokens that can't change any more, the first ones of the form; 0 for a draft. */
  readonly frozenTokens?: number;
  /** Whether the sale is settled, after which a cancellation can't mean anything else. */
  readonly isSettled?: boolean;
  /** ID of the field to fill next. */
  readonly focus?: string | undefined;
  readonly submit: string;
}

/** Returns the form of a sale's settings. The Enter key in a field presses the first button. */
export function saleForm(view: SaleFormView): Html {
  const { sessionToken, action, hidden = {}, saleUuid, formValues, submit } = view;
  const frozen = view.frozenTokens === undefined ? "" : String(view.frozenTokens);
  const fields = { ...hidden, sale: saleUuid, frozen, tenancy: formValues.tenancy };
  return html`<form id="${SALE_FORM_ID}" method="post" action="${action}" data-check="${CHECK_PATH}" class="panels two" novalidate>
${defaultSubmit("review", submit)}
<div class="column"><div class="panel">
${hiddenFields(SALE_FORM, sessionToken, fields)}
${nameField(view)}
${pricingGroup(view)}${paymentGroup(view)}${sourceGroup(view)}${moreGroup(view)}
<div class="panel-foot"><button class="primary fit" name="do" value="review">${submit}</button></div>
</div></div>
<aside class="panel" aria-labelledby="exact-title">${exactFigures(view)}</aside>
</form>`;
}

/**
 * Returns the button that the Enter key in a field presses. It stands before all others of the form, also those outside the form's
 * element that belong to it: browsers press the first one of the page.
 */
export function defaultSubmit(value: string, text: string): Html {
  return html`<button class="default-submit" form="${SALE_FORM_ID}" name="do" value="${value}" tabindex="-1" aria-hidden="true">${text}</button>`;
}

/** Returns the exact meaning of a form's values, which the page's script keeps up to date. */
export function exactFigures({ lines }: Pick<SaleFormView, "lines">): Html {
  const { exactTitle, noFigures } = texts().saleForm;
  return html`<h2 id="exact-title">${exactTitle}</h2>
<div id="exact" aria-live="polite">${lines.length === 0 ? html`<p class="quiet">${noFigures}</p>` : factList(lines)}</div>`;
}

export function nameField({ formValues, errors }: Pick<SaleFormView, "formValues" | "errors">): Html {
  const hint = html`${texts().saleForm.nameHint}`;
  return textField({
    ...{ id: "name", name: "name", label: labelOf("name"), hint, value: formValues.name },
    error: errorOf(errors, "name"),
    attributes: html`maxlength="200" autocomplete="off"`,
  });
}

/** Returns settings as a list. */
export function factList(lines: readonly DefinitionLine[]): Html {
  return html`<dl class="facts">${lines.map(
    ({ label, text, detail }) =>
      html`<dt>${label}</dt><dd>${text}${detail && html`<small class="fact-detail">${detail}</small>`}</dd>`,
  )}</dl>`;
}

export function tenancyField({ tenancy }: SaleFormValues): Html {
  const { tenancy: legend, test, testHint, live, liveHint } = texts().saleForm;
  const choices = [
    { id: "tenancy-test", value: "test", label: test, hint: testHint },
    { id: "tenancy-live", value: "live", label: live, hint: liveHint },
  ];
  return choiceField({ name: "tenancy", legend, choices }, tenancy);
}

interface EntryField {
  readonly id: string;
  readonly hint?: string;
  readonly value: string;
  readonly isOptional?: boolean;
  /** Whether the entry can't change. */
  readonly isFixed?: boolean;
}

function entryField(
  { id, hint, value, isOptional = false, isFixed = false }: EntryField,
  errors: FormErrors,
  attributes = html``,
): Html {
  return textField({
    id,
    name: id,
    label: labelOf(id),
    ...(hint !== undefined && { hint: html`${hint}` }),
    value,
    error: errorOf(errors, id),
    isOptional,
    attributes: html`autocomplete="off" spellcheck="false"${isFixed && html` readonly`} ${attributes}`,
  });
}

/** Returns a setting that the form keeps as it is, without asking for it. */
function heldField(name: string, isSet: boolean): Html {
  return html`${isSet && html`<input type="hidden" name="${name}" value="yes">`}`;
}

export function pricingGroup({ formValues, errors, frozenTokens = 0 }: SaleFormView): Html {
  const words = texts().saleForm;
  const choices = [
    { id: "kind-fixed", value: "fixed", label: words.fixedPrice, hint: words.fixedPriceHint },
    { id: "kind-auction", value: "auction", label: words.auction, hint: words.auctionHint },
  ];
  const kind = { name: "kind", legend: labelOf("kind-fixed"), choices, error: errorOf(errors, "kind-fixed") };
  const decimal = html`inputmode="decimal"`;
  const fields = html`${choiceField(kind, formValues.kind, frozenTokens > 0)}
<p class="hint of-chain">${words.notInContract}</p>
<p class="hint">${words.numbersHint}</p>
<div class="of-fixed">
${entryField({ id: "price", hint: words.priceHint, value: formValues.price, isOptional: true }, errors, decimal)}
</div><div class="of-auction"><div class="field-row halves">
${entryField({ id: "floor", hint: words.floorHint, value: formValues.floor, isOptional: true }, errors, decimal)}
${entryField({ id: "increment", hint: words.incrementHint, value: formValues.increment, isOptional: true }, errors, decimal)}
</div>
</div>
${entryField({ id: "amount", hint: words.amountHint, value: formValues.amount, isOptional: true }, errors, decimal)}
<div class="field-row halves">
${entryField({ id: "offered_decimals", hint: words.offeredDecimalsHint, value: formValues.offeredDecimals, isOptional: true }, errors, html`inputmode="numeric" maxlength="2"`)}
${entryField({ id: "tick", hint: words.tickHint, value: formValues.tick, isOptional: true }, errors, decimal)}
</div>`;
  // An auction states its prices: nobody enters them, and they are sent all the same.
  const isStated = formValues.contractFamily !== "";
  return html`<fieldset class="group"><legend>${words.pricing}</legend><div>${heldField("wide_prices", formValues.widePrices)}${heldField("outbids", formValues.outbids)}
${isStated ? html`<p class="hint">${words.statedPrices}</p><div hidden>${fields}</div>` : fields}</div></fieldset>`;
}

export function paymentGroup(view: SaleFormView): Html {
  const { formValues, errors, frozenTokens = 0 } = view;
  const { paymentTokens, tokensFixed, tokensHint, addToken, paymentDecimalsHint } = texts().saleForm;
  return html`<fieldset class="group"><legend>${paymentTokens}</legend><div>
<p class="hint">${frozenTokens > 0 ? tokensFixed : tokensHint}</p>
${formValues.tokens.map((token, index) => tokenEntry(token, index, view))}
${formValues.tokens.length < MAX_TOKENS && html`<p><button class="secondary small" name="do" value="add-token" formnovalidate>${addToken}</button></p>`}
${
  formValues.tokens.length > 1 || formValues.paymentDecimals !== ""
    ? entryField(
        {
          id: "payment_decimals",
          hint: paymentDecimalsHint,
          value: formValues.paymentDecimals,
          isOptional: true,
          isFixed: frozenTokens > 0,
        },
        errors,
        html`inputmode="numeric" maxlength="2"`,
      )
    : ""
}</div></fieldset>`;
}

function tokenEntry({ address, decimals, usdStablecoin }: TokenFormValues, index: number, view: SaleFormView): Html {
  const { errors, focus, found, frozenTokens = 0 } = view;
  const onChain = found?.[index];
  const isFixed = index < frozenTokens;
  const [addressId, usdId] = [TOKEN_FIELDS.address(index), TOKEN_FIELDS.usdStablecoin(index)];
  const focused = addressId === focus && html` autofocus`;
  return html`<div class="token-entry"><input type="hidden" name="token" value="${index}">
<div class="field-row token">
${entryField({ id: addressId, value: address, isOptional: index > 0, isFixed }, errors, html`maxlength="64"${focused}`)}
${entryField({ id: TOKEN_FIELDS.decimals(index), value: decimals, isFixed }, errors, html`inputmode="numeric" maxlength="2"`)}
</div>
<p class="hint token-found" role="status" data-token="${index}">${onChain && saidTexts([tokenLine(onChain)])}</p>
${tickField({ id: usdId, label: labelOf(usdId) }, usdStablecoin, isFixed)}</div>`;
}

export function sourceGroup({ saleUuid, formValues, errors, known, check, frozenTokens = 0 }: SaleFormView): Html {
  const isFrozen = frozenTokens > 0;
  const words = texts().saleForm;
  const byRpc = isFrozen ? words.byRpc : words.byRpcFirst;
  const choices = [
    { id: "source-chain", value: "chain", label: words.fromContract, hint: words.fromContractHint },
    { id: "source-none", value: "none", label: words.fromService, hint: byRpc },
  ];
  const source = {
    name: "source",
    legend: labelOf("source-none"),
    choices,
    error: errorOf(errors, "source-none"),
  };
  const names = isFrozen ? [formValues.chain] : ["", ...known.chains.map(({ name }) => name)];
  const chains = names.map((name): [string, string] => [name, name || words.choose]);
  const chainField = { id: "chain", label: labelOf("chain"), hint: words.chainHint, error: errorOf(errors, "chain") };
  const isListed = known.chains.some(({ name }) => name === formValues.chain) || formValues.chain === "";
  return html`<fieldset class="group"><legend>${words.commitments}</legend><div>
<p class="hint">${words.commitmentsHint}</p>
${choiceField(source, formValues.source, isFrozen)}
<div class="of-chain">
${
  known.absence === undefined && isListed
    ? selectField(chainField, chains, formValues.chain)
    : entryField(
        {
          id: "chain",
          hint: known.absence ?? words.chainHint,
          value: formValues.chain,
          isOptional: true,
          isFixed: isFrozen,
        },
        errors,
      )
}
<input type="hidden" name="contract_family" value="${formValues.contractFamily}">${entryField({ id: "address", hint: words.addressHint, value: formValues.address, isOptional: true, isFixed: isFrozen }, errors, html`maxlength="64"`)}
<p class="source-check" id="source-check" role="status" data-state="${check?.state ?? "unknown"}">${saidTexts(check?.text ?? [])}</p>
${!isFrozen && html`<p class="hint">${words.saleIdHint}</p>${copyable(words.saleId, idInContract(saleUuid))}`}
</div></div></fieldset>`;
}

export function moreGroup({ formValues, errors, isSettled = false }: SaleFormView): Html {
  const { extraData, keepsAmounts, contractVersion } = formValues;
  const words = texts().saleForm;
  const hasError = ["extra_data", "contract_version", "keeps_amounts"].some((id) => errorOf(errors, id) !== undefined);
  const isOpen = extraData !== "" || keepsAmounts || contractVersion !== "" || hasError;
  const version = {
    id: "contract_version",
    label: labelOf("contract_version"),
    hint: words.versionHint,
    error: errorOf(errors, "contract_version"),
  };
  const versions: readonly [string, string][] = [
    ["", words.versionAsSaid],
    ["1", words.versionOne],
    ["2", words.versionTwo],
  ];
  return html`<fieldset class="group"><legend>${words.rarelyNeeded}</legend><div><details${isOpen ? " open" : ""}><summary>${words.moreSummary}</summary>
${entryField({ id: "extra_data", hint: words.extraDataHint, value: extraData, isOptional: true }, errors, html`maxlength="2000"`)}
${selectField(version, versions, contractVersion)}
${tickField({ id: "keeps_amounts", label: labelOf("keeps_amounts"), hint: words.keepsAmountsHint }, keepsAmounts, isSettled)}
</details></div></fieldset>`;
}
