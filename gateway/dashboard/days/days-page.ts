import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import { numberFormat } from "../../../common/platform/language/per-language.ts";
import { amountFigure } from "../../../common/sale/words/figure.ts";
import type { Html } from "../../web/pages/layout.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { barChart, highestOf } from "../base/bar-chart.ts";
import { dashboardPage } from "../base/dashboard-page.ts";
import type { FounderSale } from "../base/founder.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";
import { unitsOfSale } from "../overview/figure-texts.ts";
import type { Known } from "../overview/sale-facts.ts";
import { shownDays } from "./day-series.ts";
import { reasonText, stateText } from "./day-words.ts";
import type { SaleDays } from "./sale-days.ts";

/** One chart, which is a column of the table, too. */
interface DayChart {
  readonly title: string;
  readonly values: Known<readonly bigint[]>;
  readonly text: (value: bigint) => string;
  /** The number beside the title: the sum of the days, or what it is by now. */
  readonly total: (values: readonly bigint[]) => bigint;
}

/** Returns the page with the charts of a sale's last 30 days. */
export function daysPage({ sale }: FounderSale, days: SaleDays, nowMs: number) {
  const { title, lead, times } = texts().days;
  const charts = chartsOf(sale, days);
  return dashboardPage({
    title,
    crumbs: saleCrumbs(sale),
    content: html`<div class="page-head"><div><h1>${title}</h1><p class="quiet">${lead} ${times}</p></div></div>
${funnelPanel(days)}
<div class="panels charts">${charts.map(chartPanel)}</div>
${holdUpPanels(days)}
${tablePanel(charts, nowMs)}`,
  });
}

function chartsOf({ definition }: FounderSale["sale"], days: SaleDays): readonly DayChart[] {
  const { committed, commitments, signIns, entities, permits, refused } = texts().days;
  const { takingPart } = days;
  const units = definition && unitsOfSale(definition);
  const amount = (value: bigint) => (units === undefined ? grouped(value) : amountFigure(value, units).text);
  return [
    { title: committed, values: days.committed, text: amount, total: (values) => values.at(-1) ?? 0n },
    { title: commitments, values: days.commitments, text: grouped, total: sumOf },
    { title: signIns, values: days.signIns, text: grouped, total: sumOf },
    ...(takingPart === null
      ? []
      : [
          { title: entities, values: takingPart.entities, text: grouped, total: sumOf },
          { title: permits, values: takingPart.permits, text: grouped, total: sumOf },
          { title: refused, values: takingPart.refused, text: grouped, total: sumOf },
        ]),
  ];
}

/** The steps from a sign-in to a bid. They are numbers of events: nobody is followed from one to the next. */
function funnelPanel({ signIns, takingPart, commitments }: SaleDays): Html {
  const words = texts().days;
  const steps = [
    { name: words.signIns, count: totalOf(signIns) },
    ...(takingPart === null
      ? []
      : [
          { name: words.entities, count: totalOf(takingPart.entities) },
          { name: words.permits, count: totalOf(takingPart.permits) },
        ]),
    { name: words.commitments, count: totalOf(commitments) },
  ];
  return html`<section class="panel" aria-labelledby="funnel"><h2 id="funnel">${words.funnel}</h2><p class="quiet">${words.funnelText}</p>
${shareList(steps)}</section>`;
}

/** Entities by state, and refusals by reason: what keeps people from taking part. */
function holdUpPanels({ takingPart }: SaleDays): Html {
  if (takingPart === null) return html``;
  const {
    states: statesTitle,
    reasons: reasonsTitle,
    statesText,
    reasonsText,
    noEntities,
    none,
    unknown,
  } = texts().days;
  const states = takingPart.states?.map(({ state, entities }) => ({ name: stateText(state), count: entities }));
  const reasons = takingPart.reasons?.map(({ reason, permits }) => ({ name: reasonText(reason), count: permits }));
  const list = (shares: Known<readonly Share[]>, empty: string) => {
    if (shares === undefined) return html`<p class="quiet">${unknown}</p>`;
    return shares.length === 0 ? html`<p class="quiet">${empty}</p>` : shareList(shares);
  };
  return html`<div class="panels charts"><section class="panel" aria-labelledby="states"><h2 id="states">${statesTitle}</h2><p class="quiet">${statesText}</p>${list(states && byName(states), noEntities)}</section>
<section class="panel" aria-labelledby="reasons"><h2 id="reasons">${reasonsTitle}</h2><p class="quiet">${reasonsText}</p>${list(reasons && byName(reasons), none)}</section></div>`;
}

/** A named number that is shown beside others; undefined where it isn't known. */
interface Share {
  readonly name: string;
  readonly count: Known<bigint>;
}

/** Adds up the numbers of the same name, the largest first: some states and reasons have the same words. */
function byName(shares: readonly { readonly name: string; readonly count: bigint }[]): readonly Share[] {
  const groups = Map.groupBy(shares, ({ name }) => name);
  return Array.from(groups, ([name, same]) => ({ name, count: sumOf(same.map(({ count }) => count)) })).toSorted(
    (a, b) => (a.count < b.count ? 1 : -1),
  );
}

/** Returns numbers with bars, each as a part of the largest. */
function shareList(shares: readonly Share[]): Html {
  const most = highestOf(shares.map(({ count }) => count ?? 0n));
  return html`<dl class="shares">${shares.map(
    ({
      name,
      count,
    }) => html`<div><dt>${name}</dt><dd><meter min="0" max="1000" value="${thousandths(count ?? 0n, most)}" aria-label="${name}"></meter>
<span>${count === undefined ? "—" : grouped(count)}</span></dd></div>`,
  )}</dl>`;
}

function thousandths(count: bigint, most: bigint): string {
  return most === 0n ? "0" : ((count * 1_000n) / most).toString();
}

function totalOf(values: Known<readonly bigint[]>): Known<bigint> {
  return values && sumOf(values);
}

function chartPanel(chart: DayChart, index: number): Html {
  const { title, values, text, total } = chart;
  const { unknown, none, highest } = texts().days;
  const id = `chart-${index}`;
  if (values === undefined) {
    return html`<section class="panel" aria-labelledby="${id}"><h2 id="${id}">${title}</h2><p class="quiet">${unknown}</p></section>`;
  }
  const most = highestOf(values);
  return html`<section class="panel" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${
  most === 0n
    ? html`<p class="quiet">${none}</p>`
    : html`<p class="stat">${text(total(values))}</p><figure class="chart"><figcaption class="quiet">${fill(highest, { value: text(most) })}</figcaption>
${barChart(title, values)}</figure>`
}</section>`;
}

/** All charts as one table, for those who can't see them, or look for a day. The latest day is first. */
function tablePanel(charts: readonly DayChart[], nowMs: number): Html {
  const { table, day } = texts().days;
  const rows = shownDays(nowMs).map((ms, index) => ({ ms, index }));
  const cell = ({ values, text }: DayChart, index: number) =>
    html`<td>${values === undefined ? "—" : text(values[index] ?? 0n)}</td>`;
  return html`<div class="panel days-table"><h2 id="days-table">${table}</h2>
<div class="scroller" tabindex="0" role="region" aria-labelledby="days-table"><table class="figures"><thead><tr><th scope="col">${day}</th>${charts.map(
    ({ title }) => html`<th scope="col">${title}</th>`,
  )}</tr></thead>
<tbody>${rows
    .toReversed()
    .map(
      ({ ms, index }) =>
        html`<tr><th scope="row">${new Date(ms).toISOString().slice(0, 10)}</th>${charts.map((chart) => cell(chart, index))}</tr>`,
    )}</tbody></table></div></div>`;
}

function sumOf(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}

function grouped(value: bigint): string {
  return numberFormat(pageLanguage()).format(value);
}
