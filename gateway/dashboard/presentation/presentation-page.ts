import { html } from "hono/html";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { LOGOS_PREFIX } from "../../web/http/logos-path.ts";
import { hiddenFields, textField } from "../../web/pages/fields.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import { areaField } from "../base/area-field.ts";
import { dashboardPage, doneLine } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { fileField } from "../base/file-field.ts";
import { errorOf, errorSummaryOf, type FormErrors } from "../base/form-errors.ts";
import type { FounderSale } from "../base/founder.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import { isCalendarEntry } from "../base/utc-entry.ts";
import { PRESENTATION_LABELS, type PresentationEntries } from "./presentation-entries.ts";

export const PRESENTATION_FORM = "sale presentation";
export const LOGO_FORM = "sale logo";
export const LOGO_LABEL = "Logo";

export interface PresentationView {
  readonly found: FounderSale;
  readonly entries: PresentationEntries;
  /** Version of the definition that the entries were made from. */
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

function supplyHint({ definition }: FounderSale["sale"]): string {
  const unit =
    definition?.offeredTokenDecimals === undefined ? "In its smallest units, as its decimals aren’t set. " : "";
  return `${unit}Such as 10,000,000: all that there are or will be. The page then shows what they come to at the sale’s price.`;
}

function presentationForm({ found: { sale, founder }, entries, version, errors = [] }: PresentationView): Html {
  const field = (name: keyof PresentationEntries, hint: string, attributes: Html) =>
    textField({
      id: name,
      name,
      label: PRESENTATION_LABELS[name],
      hint: html`${hint}`,
      value: entries[name],
      error: errorOf(errors, name),
      isOptional: true,
      attributes: html`autocomplete="off" spellcheck="false" ${attributes}`,
    });
  const time = (name: "opens" | "closes", hint: string) =>
    field(name, hint, isCalendarEntry(entries[name]) ? html`type="datetime-local" step="1"` : html``);
  const description = {
    id: "description",
    label: PRESENTATION_LABELS.description,
    hint: "Plain text, up to 2,000 characters. Line breaks are kept.",
    error: errorOf(errors, "description"),
  };
  return html`<section class="panel"><form method="post" action="${salePaths(sale.uuid).presentation}" novalidate>
${hiddenFields(PRESENTATION_FORM, founder.sessionToken, { version })}
${areaField(description, entries.description, html`rows="8" maxlength="2000"`)}
${field("website", "Where people take part, such as https://sale.example.com.", html`type="url" maxlength="500"`)}
${field("symbol", "Such as TIDE.", html`maxlength="32"`)}
${field("supply", supplyHint(sale), html`inputmode="decimal"`)}
<div class="field-row halves">${time("opens", "In UTC. It tells people when; your contract decides.")}${time("closes", "In UTC.")}</div>
<div class="panel-foot"><button class="primary fit">Save</button></div>
</form></section>`;
}
