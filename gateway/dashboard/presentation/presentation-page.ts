import { html } from "hono/html";
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
import { isCalendarEntry } from "../base/utc-entry.ts";
import { type PresentationFormValues, SWITCH_OFF, SWITCH_ON } from "./presentation-form-values.ts";

export const PRESENTATION_FORM = "sale presentation";
export const LOGO_FORM = "sale logo";
export const LOGO_LABEL = "Logo";

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
  return dashboardPage({
    title: "About the sale",
    errors,
    crumbs: saleCrumbs(sale),
    content: html`${doneLine(done)}${errorSummaryOf(errors)}<div class="page-head"><h1>About the sale</h1></div>
<p class="quiet">${isDraft ? "What people read about the sale. It is public once the sale is open." : "What people read about the sale. Changes are public at once."}</p>
${presentationForm(view)}
${logoForm(view)}`,
  });
}

function logoForm({ found: { sale, founder }, errors = [] }: PresentationView): Html {
  const logo = sale.definition?.presentation?.logo ?? "";
  const shown = html`<div class="logos"><figure><div class="logo-frame square"><img src="${LOGOS_PREFIX}${logo}" alt="The sale’s logo"></div></figure></div>`;
  return html`<section class="panel"><form method="post" action="${salePaths(sale.uuid).logo}" enctype="multipart/form-data" novalidate>
${hiddenFields(LOGO_FORM, founder.sessionToken)}
${logo !== "" && shown}
${fileField("logo", LOGO_LABEL, "As wide as high: PNG, JPEG or WebP, at most 200 KB and 2,048 pixels a side.", errors)}
<div class="panel-foot"><button class="primary fit" name="do" value="set">Upload</button>
${logo !== "" && html`<button class="secondary" name="do" value="remove">Remove the logo</button>`}</div>
</form></section>`;
}

function presentationForm(view: PresentationView): Html {
  const { sale, founder } = view.found;
  const times = ASKED_FIELDS.filter(({ kind }) => kind === "time");
  const others = ASKED_FIELDS.filter(({ kind }) => kind !== "time");
  return html`<section class="panel"><form method="post" action="${salePaths(sale.uuid).presentation}" novalidate>
${hiddenFields(PRESENTATION_FORM, founder.sessionToken, { version: view.version })}
${others.map((field) => html`${fieldOf(field, view)}\n`)}
<div class="field-row halves">${times.map((field) => fieldOf(field, view))}</div>
<div class="panel-foot"><button class="primary fit">Save</button></div>
</form></section>`;
}

function fieldOf(field: AskedField, { found, values, errors = [] }: PresentationView): Html {
  const { name, label } = field.form;
  const value = values[name] ?? "";
  const error = errorOf(errors, name);
  const hint = hintOf(field, found.sale);
  if (field.kind === "text" && field.rows > 1) {
    const attributes = html`rows="${field.rows}" maxlength="${field.maxCharacters}"`;
    return areaField({ id: name, label, hint, error }, value, attributes);
  }
  if (field.kind === "switch") {
    const options = [[SWITCH_OFF, "No"] as const, [SWITCH_ON, "Yes"] as const];
    return selectField({ id: name, label, hint, error }, options, value);
  }
  const attributes = html`autocomplete="off" spellcheck="false" ${attributesOf(field, value)}`;
  return textField({ id: name, name, label, hint: html`${hint}`, value, error, isOptional: true, attributes });
}

function hintOf({ kind, form }: AskedField, { definition }: FounderSale["sale"]): string {
  const isInUnits = kind === "amount" && definition?.offeredTokenDecimals === undefined;
  return isInUnits ? `In its smallest units, as its decimals aren’t set. ${form.hint}` : form.hint;
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
