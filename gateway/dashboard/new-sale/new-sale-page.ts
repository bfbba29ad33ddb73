import { html } from "hono/html";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import { dashboardPage } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { errorSummaryOf, type FormErrors } from "../base/form-errors.ts";
import type { Founder } from "../base/founder.ts";
import type { ListedToken } from "../base/listed-tokens.ts";
import { salesCrumb } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";
import type { KnownChains, SourceCheck } from "../definition/check-source.ts";
import type { ParsedDefinition } from "../definition/parsed-definition.ts";
import { SALE_FORM_ID } from "../definition/sale-form.ts";
import type { FoundToken } from "../definition/token-check.ts";
import { contractPanel } from "./contract-panel.ts";
import { copyList } from "./copyable-sales.ts";
import type { NewSaleValues } from "./new-sale-values.ts";
import type { Step } from "./steps.ts";
import { defaultButton, newSaleForm } from "./steps-form.ts";

/** A sale that somebody has begun, be it a new one or a copy. */
export interface BegunView {
  readonly founder: Founder;
  /** UUID of the sale that was begun: the same on every visit until it is created, so that a contract can hold it. */
  readonly saleUuid: string;
  /** UUID of the sale that it copies; empty for none. */
  readonly from: string;
  readonly known: KnownChains;
}

/** View of such a sale at one of its steps. */
export interface NewSaleView extends BegunView {
  readonly values: NewSaleValues;
  readonly step: Step;
  /** The stablecoins of the sale's chain that can be chosen by name. */
  readonly listed?: readonly ListedToken[];
  /** The facts of the tokens on the chain. */
  readonly found?: readonly FoundToken[];
  readonly errors?: FormErrors;
  readonly meaning?: ParsedDefinition;
  readonly check?: SourceCheck | undefined;
  readonly focus?: string | undefined;
  /** The sales that it can be a copy of. */
  readonly copyable?: readonly Sale[];
  /** Whether the form's values are those of an earlier visit. */
  readonly isKept?: boolean;
}

/** Returns the page of a new sale at one of its steps. */
export function newSalePage(view: NewSaleView): Page {
  const { founder, saleUuid, from, values, step, known, found = [], listed = [] } = view;
  const { errors = [], meaning, check, focus, copyable = [], isKept = false } = view;
  const { newSale } = texts();
  const title = from === "" ? newSale.title : newSale.copyTitle;
  return dashboardPage({
    title,
    errors,
    crumbs: [salesCrumb()],
    content: html`${errorSummaryOf(errors)}<div class="page-head"><h1>${title}</h1></div>
${from !== "" && copyLine(from)}
${copyList(copyable)}
${defaultButton(step)}${isKept && keptLine()}
${check && step > 1 && contractPanel(check, values.sale, found)}
${newSaleForm({
  sessionToken: founder.sessionToken,
  from,
  values,
  step,
  errors,
  known,
  found,
  listed,
  check,
  lines: meaning?.lines ?? [],
  saleUuid,
  focus,
})}`,
  });
}

function copyLine(from: string): Html {
  const { copyText, otherSale } = texts().newSale;
  return html`<p class="quiet">${fillHtml(copyText, { sale: html`<a href="${salePaths(from).sale}">${otherSale}</a>` })}</p>`;
}

/** The line that says why the form isn't empty, with a button of the form that empties it, which Enter mustn't press. */
function keptLine(): Html {
  const { kept, emptyForm } = texts().newSale;
  return html`<div class="notice kept"><p>${kept}</p>
<button class="secondary small" form="${SALE_FORM_ID}" name="do" value="start-again" formnovalidate>${emptyForm}</button></div>`;
}
