import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import { countText } from "../../../common/sale/words/number-text.ts";
import type { Html } from "../../web/pages/layout.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { barChart, highestOf } from "../base/bar-chart.ts";
import { texts } from "../base/texts.ts";
import type { PermitSeries } from "./permit-series.ts";

/** Returns permits over time as bars, and as a table for those who can't see them. */
export function permitChart({ unit, spans }: PermitSeries): Html {
  const most = highestOf(spans.map(({ permits }) => permits));
  const {
    chartNone,
    chartHours,
    chartDays,
    chartCaption,
    asTable,
    hour,
    day,
    permits: permitsName,
  } = texts().takingPart;
  const number = (value: bigint) => countText(value, pageLanguage());
  if (most === 0n) return html`<p class="quiet">${chartNone}</p>`;
  const title = unit === "hour" ? chartHours : chartDays;
  return html`<figure class="chart"><figcaption class="quiet">${fill(chartCaption, { title, most: number(most) })}</figcaption>
${barChart(
  title,
  spans.map(({ permits }) => permits),
)}</figure>
<details><summary>${asTable}</summary><div class="scroller" tabindex="0" role="region" aria-label="${title}"><table class="figures"><thead><tr><th scope="col">${unit === "hour" ? hour : day}</th><th scope="col">${permitsName}</th></tr></thead>
<tbody>${spans
    .filter(({ permits }) => permits > 0n)
    .toReversed()
    .map(
      ({ fromMs, permits }) => html`<tr><th scope="row">${spanText(fromMs, unit)}</th><td>${number(permits)}</td></tr>`,
    )}</tbody></table></div></details>`;
}

function spanText(fromMs: number, unit: PermitSeries["unit"]): string {
  const iso = new Date(fromMs).toISOString();
  return unit === "hour" ? iso.slice(0, 16).replace("T", " ") : iso.slice(0, 10);
}
