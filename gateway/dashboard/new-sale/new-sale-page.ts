import { html } from "hono/html";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import { dashboardPage } from "../base/dashboard-page.ts";
import { errorSummaryOf } from "../base/form-errors.ts";
import type { ListedToken } from "../base/listed-tokens.ts";
import { saidTexts } from "../base/said-text.ts";
import { salesCrumb } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";
import type { SourceCheck } from "../definition/check-source.ts";
import type { BegunSaleView } from "./begun-sale-view.ts";
import { keptLine } from "./kept-line.ts";
import type { NewSaleValues } from "./new-sale-values.ts";
import type { Step } from "./steps.ts";
import { defaultButton, newSaleForm } from "./steps-form.ts";

export interface NewSaleView extends BegunSaleView {
  readonly values: NewSaleValues;
  readonly step: Step;
  /** The stablecoins of the sale's chain that can be chosen by name. */
  readonly listed?: readonly ListedToken[];
}

/** Returns the page of a new sale at one of its steps. */
export function newSalePage(view: NewSaleView): Page {
  const { founder, saleUuid, values, step, known, found, listed = [] } = view;
  const { errors = [], meaning, check, focus, isKept = false } = view;
  const { newSale } = texts();
  return dashboardPage({
    title: newSale.title,
    errors,
    crumbs: [salesCrumb()],
    content: html`${errorSummaryOf(errors)}<div class="page-head"><h1>${newSale.title}</h1></div>
${defaultButton(step)}${isKept && keptLine()}
${check && check.state !== "unknown" && step > 1 && contractLine(check)}
${newSaleForm({
  sessionToken: founder.sessionToken,
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

/** Returns what the contract of the first step says, for the steps after it. */
function contractLine({ state, text }: SourceCheck): Html {
  return html`<p class="notice-line state-${state}">${fillHtml(texts().newSale.contractSays, { text: saidTexts(text) })}</p>`;
}
