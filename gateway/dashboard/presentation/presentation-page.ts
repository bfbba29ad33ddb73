import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import { ASKED_FIELDS, type AskedField } from "../../../common/sale/definition/sale-fields.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { LOGOS_PREFIX } from "../../web/http/logos-path.ts";
import { hiddenFields, textField } from "../../web/pages/fields.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import { areaField } from "../base/area-field.ts";
import { selectField } from "../base/choice-fields.ts";
import { dashboardPage, doneLine } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { fileField } from "../base/file-field.ts";
import { errorOf, errorSummaryOf, type FormErrors } from "../base/form-errors.ts";
import type { FounderSale } from "../base/founder.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";
import { isCalendarEntry } from "../base/utc-entry.ts";
import { type PresentationFormValues, SWITCH_OFF, SWITCH_ON } from "./presentation-form-values.ts";

export const PRESENTATION_FORM = "sale presentation";
export const LOGO_FORM = "sale logo";

export interface PresentationView {
  readonly found: FounderSale;
  readonly values: PresentationFormValues;
  /** Version of the definition that the values were made from. */
  readonly version: string;
  readonly errors?: FormErrors;
  readonly done?: string | undefined;
}

/** Returns the page on which a founder enters what people read about a sale. */
export function presentationPage(view: PresentationView): Page {
  const { found, errors = [], done } = view;
  const { sale } = found;
  const isDraft = sale.status === SaleStatus.DRAFT;
  const { title, draftText, publicText } = texts().presentation;
  return dashboardPage({
    title,
    errors,
    crumbs: saleCrumbs(sale),
    content: html`${doneLine(done)}${errorSummaryOf(errors)}<div class="page-head"><h1>${title}</h1></div>
<p class="quiet">${isDraft ? draftText : publicText}</p>
${presentationForm(view)}
${logoForm(view)}`,
  });
}

function logoForm({ found: { sale, founder }, errors = [] }: PresentationView): Html {
  const logo = sale.definition?.presentation?.logo ?? "";
  const words = texts().presentation;
  const shown = html`<div class="logos"><figure><div class="logo-frame square"><img src="${LOGOS_PREFIX}${logo}" alt="${words.logoAlt}"></div></figure></div>`;
  return html`<section class="panel"><form method="post" action="${salePaths(sale.uuid).logo}" enctype="multipart/form-data" novalidate>
${hiddenFields(LOGO_FORM, founder.sessionToken)}
${logo !== "" && shown}
${fileField("logo", texts().presentationLabel.logo, texts().presentationHint.logo, errors)}
<div class="panel-foot"><button class="primary fit" name="do" value="set">${words.upload}</button>
${logo !== "" && html`<button class="secondary" name="do" value="remove">${words.removeLogo}</button>`}</div>
</form></section>`;
}

function presentationForm(view: PresentationView): Html {
  const { sale, founder } = view.found;
  const { values, errors = [] } = view;
  const asked = { values, errors, offeredDecimals: sale.definition?.offeredTokenDecimals };
  const terms = ASKED_FIELDS.filter(({ form }) => form.group === "terms");
  const described = ASKED_FIELDS.filter((field) => !terms.includes(field));
  const times = described.filter(({ kind }) => kind === "time");
  const others = described.filter(({ kind }) => kind !== "time");
  return html`<section class="panel"><form method="post" action="${salePaths(sale.uuid).presentation}" novalidate>
${hiddenFields(PRESENTATION_FORM, founder.sessionToken, { version: view.version })}
${others.map((field) => html`${presentationField(field, asked)}\n`)}
<fieldset class="group"><legend>${texts().presentation.times}</legend><div><p class="hint">${texts().presentation.timesHint}</p>
<div class="field-row halves">${times.map((field) => presentationField(field, asked))}</div></div></fieldset>
<fieldset class="group"><legend>${texts().presentation.terms}</legend><div><p class="hint">${texts().presentation.termsHint}</p>
${terms.map((field) => presentationField(field, asked))}</div></fieldset>
<div class="panel-foot"><button class="primary fit">${texts().presentation.save}</button></div>
</form></section>`;
}

/** Values of presentation fields, with their errors. */
export interface AskedValues {
  readonly values: PresentationFormValues;
  readonly errors?: FormErrors;
  /** Decimals of the offered token; undefined where they aren't set. */
  readonly offeredDecimals: number | undefined;
}

/** Returns a field about what people read. */
export function presentationField(field: AskedField, { values, errors = [], offeredDecimals }: AskedValues): Html {
  const { name } = field.form;
  const label = texts().presentationLabel[field.key];
  const value = values[name] ?? "";
  const error = errorOf(errors, name);
  const hint = hintOf(field, offeredDecimals);
  if (field.kind === "text" && field.rows > 1) {
    const attributes = html`rows="${field.rows}" maxlength="${field.maxCharacters}"`;
    return areaField({ id: name, label, hint, error }, value, attributes);
  }
  if (field.kind === "switch") {
    const options = [[SWITCH_OFF, texts().presentation.no] as const, [SWITCH_ON, texts().presentation.yes] as const];
    return selectField({ id: name, label, hint, error }, options, value);
  }
  const attributes = html`autocomplete="off" spellcheck="false" ${attributesOf(field, value)}`;
  return textField({ id: name, name, label, hint: html`${hint}`, value, error, isOptional: true, attributes });
}

function hintOf({ kind, key }: AskedField, offeredDecimals: number | undefined): string {
  const isInUnits = kind === "amount" && offeredDecimals === undefined;
  const hint = texts().presentationHint[key];
  return isInUnits ? fill(texts().presentation.inUnits, { hint }) : hint;
}

function attributesOf(field: AskedField, value: string): Html {
  switch (field.kind) {
    case "link":
      return html`type="url" maxlength="${field.maxCharacters}"`;
    case "contact":
      return html`inputmode="email" autocapitalize="none" maxlength="${field.maxCharacters}"`;
    case "symbol":
      return html`maxlength="32"`;
    case "amount":
      return html`inputmode="decimal"`;
    case "time":
      return isCalendarEntry(value) ? html`type="datetime-local" step="1"` : html``;
    default:
      return "maxCharacters" in field ? html`maxlength="${field.maxCharacters}"` : html``;
  }
}
