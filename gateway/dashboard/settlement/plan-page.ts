import { html } from "hono/html";
import { DEFAULT_BATCH } from "../../../common/contracts/reference/plan-files.ts";
import { CALLED_VERSION } from "../../../common/contracts/reference/settlement-files.ts";
import { fill, fillCounted } from "../../../common/platform/language/message.ts";
import { numberFormat } from "../../../common/platform/language/per-language.ts";
import { priceOfTicks } from "../../../common/sale/figures/price.ts";
import { amountFigure, priceFigure } from "../../../common/sale/words/figure.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { copyable, dashboardPage } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { englishText, sentence } from "../base/form-errors.ts";
import type { FounderSale } from "../base/founder-sale.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";
import { factList } from "../definition/sale-form.ts";
import { unitsOfSale } from "../overview/figure-texts.ts";
import type { MadePlan, NoCalls } from "./make-plan.ts";
import { ALL, FIELDS, PLAN_FORM, type PlanEntry } from "./plan-entry.ts";
import { commandPanel } from "./settlement-page.ts";

/** Lines whose numbers are shown. */
const SHOWN_LINES = 10;

/** A plan that is shown. */
export interface ShownPlan {
  readonly found: FounderSale;
  readonly made: MadePlan;
  readonly entry: PlanEntry;
  /** Whether a file was wanted of another plan than this one. */
  readonly isOther: boolean;
}

/** Returns the page with a plan that was made, and its downloads. */
export function planPage(shown: ShownPlan): Page {
  const { found, made, entry, isOther } = shown;
  const { title, otherPlan, madeTitle, hash, compare, again } = texts().settlementPlan;
  const { settlement: path } = salePaths(found.sale.uuid);
  return dashboardPage({
    title: madeTitle,
    crumbs: [...saleCrumbs(found.sale), { href: path, text: title }],
    content: html`<div class="page-head"><h1>${madeTitle}</h1></div>
${isOther && html`<p class="notice" role="alert">${otherPlan}</p>`}
<div class="panels"><section class="panel" aria-label="${madeTitle}">${copyable(hash, made.hash)}
<p>${compare}</p>
${remarks(made)}
${facts(shown)}
<div class="panel-foot"><a class="button secondary small" href="${path}">${again}</a></div></section>
${filesPanel(shown)}
${commandPanel(found.sale, optionsOf(entry))}</div>`,
  });
}

/** Returns the options by which the command makes the same plan. */
function optionsOf({ kept, batch }: PlanEntry): readonly string[] {
  return [
    ...(kept.refusals === "" ? [] : ["--refusals refusals.csv"]),
    ...(kept.limits === "" ? [] : ["--limits limits.csv"]),
    ...(Number(batch) === DEFAULT_BATCH ? [] : [`--batch ${batch}`]),
  ];
}

/** Warnings of the source and of the founder's lists. */
function remarks({ warning, unmatched: { refusals, limits } }: MadePlan): Html {
  const words = texts().settlementPlan;
  return html`${warning !== "" && html`<p class="state-bad">${words.warning} ${englishText(sentence(warning))}</p>`}
${unmatchedLine(words.refusalsUnmatched, refusals)}${unmatchedLine(words.limitsUnmatched, limits)}`;
}

function unmatchedLine(message: Parameters<typeof fillCounted<"lines">>[0], lines: readonly number[]): Html {
  if (lines.length === 0) return html``;
  const first = lines.slice(0, SHOWN_LINES).join(", ");
  const shown = lines.length > SHOWN_LINES ? fill(texts().settlementPlan.andMore, { lines: first }) : first;
  return html`<p class="state-bad">${fillCounted(message, lines.length, pageLanguage(), { lines: shown })}</p>`;
}

function facts({ found: { sale }, made }: ShownPlan): Html {
  const words = texts().settlementPlan;
  const { book, priceTicks, totals } = made.settlement;
  const { source, revision } = book.input;
  const { format } = numberFormat(pageLanguage());
  const { definition } = sale;
  if (definition === undefined) throw new TypeError("the sale has no definition");
  const units = { ...unitsOfSale(definition), payment: book.terms.paymentTokenDecimals };
  const amount = (size: bigint) => amountFigure(size, units).text;
  const { numerator, denominator } = priceOfTicks(priceTicks, book.terms.priceTick);
  const price = priceFigure(`${numerator}`, `${denominator}`, units).text;
  const count = (message: Parameters<typeof fillCounted<never>>[0], number: number) =>
    fillCounted(message, number, pageLanguage(), {});
  const listed = {
    refusals: count(words.refusalCount, book.refusals.length),
    limits: count(words.limitCount, book.limits.length),
  };
  const block = source && {
    label: words.block,
    text: fill(words.blockOf, { height: format(source.height), chain: source.chain }),
    ...(source.hash !== "" && { detail: `0x${source.hash}` }),
  };
  return factList([
    ...(block === undefined ? [] : [block]),
    { label: words.revision, text: format(revision) },
    { label: words.price, text: fill(words.priceOf, { price, ticks: format(priceTicks) }) },
    { label: words.committed, text: amount(totals.committed) },
    {
      label: words.capacity,
      text: totals.capacity === undefined ? words.unbounded : amount(totals.capacity),
    },
    { label: words.accepted, text: amount(totals.accepted) },
    { label: words.allocations, text: format(made.allocations) },
    { label: words.lists, text: fill(words.listed, listed) },
    { label: words.calls, text: callsText(made) },
  ]);
}

function callsText({ noCalls, files }: MadePlan): string {
  if (noCalls !== undefined) return NO_CALLS[noCalls.reason](noCalls);
  return numberFormat(pageLanguage()).format(files.filter(({ isCall }) => isCall).length);
}

const NO_CALLS: Readonly<Record<NoCalls["reason"], (noCalls: NoCalls) => string>> = {
  no_contract: () => texts().settlementPlan.no_contract,
  only_accounts: () => texts().settlementPlan.only_accounts,
  unknown_version: () => fill(texts().settlementPlan.unknown_version, { known: String(CALLED_VERSION) }),
  other_version: (noCalls) => {
    const version = noCalls.reason === "other_version" ? noCalls.version : 0;
    return fill(texts().settlementPlan.other_version, { version: String(version), known: String(CALLED_VERSION) });
  },
};

/** The files with their sums, each of which a button downloads. */
function filesPanel({ found: { sale, founder }, made, entry }: ShownPlan): Html {
  const words = texts().settlementPlan;
  const files = made.files.filter(({ isCall }) => !isCall);
  const calls = made.files.length - files.length;
  const hidden = {
    [FIELDS.keptRefusals]: entry.kept.refusals,
    [FIELDS.keptLimits]: entry.kept.limits,
    [FIELDS.batch]: entry.batch,
    [FIELDS.sums]: sumsOf(made),
  };
  return html`<section class="panel" aria-labelledby="files"><h2 id="files">${words.filesTitle}</h2>
<p>${words.filesText}</p>
<div class="scroller" tabindex="0" role="region" aria-label="${words.filesTable}"><table class="figures"><thead><tr><th scope="col">${words.file}</th><th scope="col">${words.sum}</th></tr></thead>
<tbody>${files.map(({ path, hash }) => html`<tr><th scope="row"><code>${path}</code></th><td><code>${hash}</code></td></tr>`)}</tbody></table></div>
${calls > 0 && html`<p class="quiet">${fillCounted(words.safes, calls, pageLanguage(), {})}</p>`}
<form method="post" action="${salePaths(sale.uuid).settlement}" enctype="multipart/form-data" data-answer="file">${hiddenFields(PLAN_FORM, founder.sessionToken, hidden)}
<div class="panel-foot"><button class="primary fit" name="${FIELDS.wanted}" value="${ALL}">${words.downloadAll}</button>
${files.map(({ path }) => html`<button class="secondary small" name="${FIELDS.wanted}" value="${path}">${fill(words.download, { file: path })}</button>\n`)}</div></form></section>`;
}

/** Returns the SHA-256 of a plan's list of sums, by which any change of its files shows. */
export function sumsOf({ files }: MadePlan): string {
  return files.at(-1)?.hash ?? "";
}
