import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import { countText } from "../../../common/sale/words/number-text.ts";
import type { Html } from "../../web/pages/layout.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { texts } from "../base/texts.ts";
import type { PermitSeries, PermitSpan } from "./permit-series.ts";

const WIDTH = 600;
const HEIGHT = 120;
/** Share of its place that a bar takes. */
const BAR_SHARE = 0.8;

/** Returns permits over time as bars, and as a table for those who can't see them. */
export function permitChart({ unit, spans }: PermitSeries): Html {
  const most =
    spans
      .map(({ permits }) => permits)
      .toSorted((a, b) => (a < b ? -1 : 1))
      .at(-1) ?? 0n;
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
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${title}">${spans.map(
    (span, index) => bar(span, index, { count: spans.length, most }),
  )}</svg></figure>
<details><summary>${asTable}</summary><div class="scroller" tabindex="0" role="region" aria-label="${title}"><table class="figures"><thead><tr><th scope="col">${unit === "hour" ? hour : day}</th><th scope="col">${permitsName}</th></tr></thead>
<tbody>${spans
    .filter(({ permits }) => permits > 0n)
    .toReversed()
    .map(
      ({ fromMs, permits }) => html`<tr><th scope="row">${spanText(fromMs, unit)}</th><td>${number(permits)}</td></tr>`,
    )}</tbody></table></div></details>`;
}

/** Returns a bar. Its height needs no exactness: the table has the figures. */
function bar(
  { permits }: PermitSpan,
  index: number,
  { count, most }: { readonly count: number; readonly most: bigint },
): Html {
  const place = WIDTH / count;
  const height = permits === 0n ? 1 : Math.max(3, Number((permits * BigInt(HEIGHT)) / most));
  const x = (index * place + (place * (1 - BAR_SHARE)) / 2).toFixed(1);
  return html`<rect x="${x}" y="${HEIGHT - height}" width="${(place * BAR_SHARE).toFixed(1)}" height="${height}"></rect>`;
}

function spanText(fromMs: number, unit: PermitSeries["unit"]): string {
  const iso = new Date(fromMs).toISOString();
  return unit === "hour" ? iso.slice(0, 16).replace("T", " ") : iso.slice(0, 10);
}
