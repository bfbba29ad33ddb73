import { html } from "hono/html";
import { canonicalAddress } from "../../../common/chains/addresses.ts";
import { fill } from "../../../common/platform/language/message.ts";
import { monogramOf } from "../../sale-page/browser/monogram.js";
import { hiddenFields, textField } from "../../web/pages/fields.ts";
import type { Html } from "../../web/pages/layout.ts";
import { CHECK_PATH } from "../base/dashboard-paths.ts";
import { fileField } from "../base/file-field.ts";
import { errorOf } from "../base/form-errors.ts";
import type { ListedToken } from "../base/listed-tokens.ts";
import { texts } from "../base/texts.ts";
import {
  defaultSubmit,
  exactFigures,
  moreGroup,
  nameField,
  paymentGroup,
  pricingGroup,
  SALE_FORM,
  SALE_FORM_ID,
  type SaleFormView,
  sourceGroup,
  tenancyField,
} from "../definition/sale-form.ts";
import { presentationField } from "../presentation/presentation-page.ts";
import { CHOICE_FIELD, LIST_FIELD } from "./chosen-tokens.ts";
import { type NewSaleValues, START_TABLE, WORD_FIELDS } from "./new-sale-values.ts";
import { LAST_STEP, newSalePath, STEPS, type Step, stepTitle } from "./steps.ts";

/** A new sale's form at one of its steps. */
export interface StepsView extends Omit<SaleFormView, "action" | "formValues" | "submit"> {
  /** UUID of the sale that it copies; empty for none. */
  readonly from: string;
  readonly values: NewSaleValues;
  readonly step: Step;
  /** The stablecoins of the sale's chain that can be chosen by name. */
  readonly listed: readonly ListedToken[];
}

/**
 * Returns the form of a new sale. It has the fields of all steps, of which a browser shows those of one: what was entered goes
 * from step to step with the form, with scripts or without. `defaultButton` stands before it.
 */
export function newSaleForm(view: StepsView): Html {
  const { sessionToken, saleUuid, from, values, step } = view;
  const { continueTo, create } = texts().newSale;
  const action = newSalePath(from);
  const parts = { ...view, formValues: values.sale, action, submit: "" };
  const isLast = step === LAST_STEP;
  return html`${stepsNavigation(step)}
<form id="${SALE_FORM_ID}" method="post" action="${action}" data-check="${CHECK_PATH}" class="panels two"${isLast && html` enctype="multipart/form-data"`} novalidate>
<div class="column"><div class="panel">
${hiddenFields(SALE_FORM, sessionToken, { sale: saleUuid, step: String(step) })}
${section(view, 1, html`${tenancyField(values.sale)}${sourceGroup(parts)}${moreGroup(parts)}`)}
${section(view, 2, html`${pricingGroup(parts)}${stablecoinsGroup(view)}${paymentGroup(parts)}`)}
${section(view, 3, wordsFields(view))}
${section(view, LAST_STEP, startFields(view))}
<div class="panel-foot"><button class="primary fit" name="do" value="${usualAction(step)}">${isLast ? create : continueTo}</button>${step > 1 && html`<button class="secondary" name="do" value="back-${step - 1}" formnovalidate>${texts().newSale.back}</button>`}</div>
</div></div>
<aside class="panel" aria-labelledby="preview-title">${preview(values)}
<div class="aside">${exactFigures(parts)}</div></aside>
</form>`;
}

/** Returns what the Enter key in a field of a step presses: what its first button does. It stands before all other buttons. */
export function defaultButton(step: Step): Html {
  const { continueTo, create } = texts().newSale;
  return defaultSubmit(usualAction(step), step === LAST_STEP ? create : continueTo);
}

/** The last step creates the sale: to show it once more would lose the chosen files. */
function usualAction(step: Step): string {
  return step === LAST_STEP ? "create" : `step-${step + 1}`;
}

/** The fields of a step. Those of another step are sent, too, and not shown. */
function section({ step }: StepsView, own: Step, fields: Html): Html {
  return html`<div class="step" role="group" aria-labelledby="step-${own}"${own !== step && " hidden"}><h2 id="step-${own}">${stepTitle(own)}</h2>
<p class="quiet">${stepText(own)}</p>${fields}</div>`;
}

function stepText(step: Step): string {
  const { newSale } = texts();
  return [newSale.textContract, newSale.textPrice, newSale.textWords, newSale.textStart][step - 1] ?? "";
}

/** The steps in their order. Those before the present one are buttons of the form, which keep what was entered. */
function stepsNavigation(current: Step): Html {
  const { steps, stepOf } = texts().newSale;
  const item = (step: Step) =>
    step < current
      ? html`<li class="step-item"><button class="link" form="${SALE_FORM_ID}" name="do" value="back-${step}" formnovalidate>${stepTitle(step)}</button></li>`
      : html`<li class="step-item"${step === current && html` aria-current="step"`}>${stepTitle(step)}</li>`;
  return html`<nav class="step-list" aria-label="${steps}"><p class="quiet">${fill(stepOf, { step: String(current), steps: String(LAST_STEP) })}</p><ol>${STEPS.map(item)}</ol></nav>`;
}

/** The stablecoins of the operator's list, by their names on the chain. */
function stablecoinsGroup({ listed, values: { sale } }: StepsView): Html {
  if (listed.length === 0) return html``;
  const { stablecoins, stablecoinsHint, namedToken } = texts().newSale;
  const isTicked = (address: string) => sale.tokens.some((token) => canonicalAddress(token.address) === address);
  const box = ({ address, symbol, decimals }: ListedToken, index: number) => {
    const name = symbol === "" ? address : fill(namedToken, { symbol, decimals });
    return html`<p class="tick"><input type="checkbox" id="stablecoin-${index}" name="${CHOICE_FIELD}" value="${address}"${isTicked(address) && " checked"}><span><label for="stablecoin-${index}">${name}</label>${symbol !== "" && html`<span class="scope-detail"><br><code>${address}</code></span>`}</span></p>`;
  };
  return html`<fieldset class="group"><legend>${stablecoins}</legend><div><p class="hint">${stablecoinsHint}</p>
<input type="hidden" name="${LIST_FIELD}" value="${sale.chain}">${listed.map(box)}</div></fieldset>`;
}

function wordsFields({ values: { sale, words }, errors }: StepsView): Html {
  const decimals = sale.offeredDecimals;
  const offeredDecimals = /^\d{1,2}$/.test(decimals) ? Number(decimals) : undefined;
  const asked = { values: words, errors, offeredDecimals };
  const times = WORD_FIELDS.filter(({ kind }) => kind === "time");
  const others = WORD_FIELDS.filter(({ kind }) => kind !== "time");
  return html`${nameField({ formValues: sale, errors })}
${others.map((field) => html`${presentationField(field, asked)}\n`)}
<div class="field-row halves">${times.map((field) => presentationField(field, asked))}</div>`;
}

function startFields({ from, values: { sale, start }, errors }: StepsView): Html {
  const { newSale, application } = texts();
  const isTest = sale.tenancy !== "live";
  const example = isTest ? "http://localhost:3000/oauth/callback" : "https://sale.example/oauth/callback";
  const field = (key: keyof typeof START_TABLE, hint: Html, attributes: Html) => {
    const { field: id, label } = START_TABLE[key];
    const error = errorOf(errors, id);
    return textField({ id, name: id, label, hint, value: start[key], error, isOptional: true, attributes });
  };
  return html`<fieldset class="group"><legend>${newSale.application}</legend><div>
${from !== "" && html`<p class="hint">${newSale.copiedApplications}</p>`}
${field("application", html`${newSale.applicationHint}${from === "" && ` ${newSale.applicationDefault}`}`, html`maxlength="100" autocomplete="off"`)}
${field("redirectUri", html`${newSale.redirectHint} <code>${example}</code>`, html`inputmode="url" maxlength="1024" autocapitalize="none" autocomplete="off" spellcheck="false"`)}
<p class="hint">${newSale.logosHint}</p>
<div class="field-row halves">${fileField("square", application.squareLogo, application.squareHint, errors)}
${fileField("wide", application.wideLogo, application.wideHint, errors)}</div></div></fieldset>
<fieldset class="group"><legend>${newSale.team}</legend><div>
${field("invite", html`${newSale.inviteHint}`, html`type="email" inputmode="email" autocapitalize="none" autocomplete="off" spellcheck="false" maxlength="254"`)}</div></fieldset>`;
}

/** Returns a preview of name and description, which the page's script keeps up to date. */
function preview({ sale, words }: NewSaleValues): Html {
  const { preview: title, previewName, previewText } = texts().newSale;
  const { description = "" } = words;
  return html`<h2 id="preview-title">${title}</h2><div class="sale-preview"><span class="monogram" aria-hidden="true" data-preview-initial="name">${monogramOf(sale.name).letters || "•"}</span>
<div><p class="preview-name" data-preview="name" data-empty="${previewName}"><bdi>${sale.name || previewName}</bdi></p>
<p class="quiet" data-preview="description" data-empty="${previewText}">${description || previewText}</p></div></div>`;
}
