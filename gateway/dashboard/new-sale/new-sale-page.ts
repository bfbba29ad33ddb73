import { html } from "hono/html";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import { dashboardPage } from "../base/dashboard-page.ts";
import { errorSummaryOf, type FormErrors } from "../base/form-errors.ts";
import type { Founder } from "../base/founder.ts";
import type { ListedToken } from "../base/listed-tokens.ts";
import { saidTexts } from "../base/said-text.ts";
import { salesCrumb } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";
import type { KnownChains, SourceCheck } from "../definition/check-source.ts";
import type { ParsedDefinition } from "../definition/parsed-definition.ts";
import type { FoundToken } from "../definition/token-check.ts";
import { keptLine } from "./kept-line.ts";
import type { NewSaleValues } from "./new-sale-values.ts";
import type { Step } from "./steps.ts";
import { defaultButton, newSaleForm } from "./steps-form.ts";

export interface NewSaleView {
  readonly founder: Founder;
  /** UUID of the sale that was begun: the same on every visit until it is created, so that a contract can hold it. */
  readonly saleUuid: string;
  readonly values: NewSaleValues;
  readonly step: Step;
  readonly known: KnownChains;
  /** The facts of the tokens on the chain. */
  readonly found?: readonly FoundToken[];
  /** The stablecoins of the sale's chain that can be chosen by name. */
  readonly listed?: readonly ListedToken[];
  readonly errors?: FormErrors;
  readonly meaning?: ParsedDefinition;
  readonly check?: SourceCheck | undefined;
  readonly focus?: string | undefined;
  /** Whether the form's values are those of an earlier visit. */
  readonly isKept?: boolean;
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
