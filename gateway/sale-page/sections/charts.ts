import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import type { Figure } from "../../../common/sale/words/figure.ts";
import type { Html } from "../../web/pages/layout.ts";
import { shortUnits } from "../browser/figures.js";
import { datedText } from "../browser/freshness.js";
import { marksOf } from "../browser/marks.js";
import { texts } from "../browser/words.js";
import { type ChartName, IMAGE } from "../view/chart-image.ts";
import type { SaleView } from "../view/sale-view.ts";

/** Returns the name of a chart in a word or two, to choose it where there is room for one only. */
function tabName(name: ChartName): string {
  const { historyTab, demandTab, clearingTab, countTab } = texts().chart;
  return { history: historyTab, demand: demandTab, clearing: clearingTab, count: countTab }[name];
}

/** Returns the places of a sale's charts, which have images where no script runs. */
export function chartsSection(view: SaleView, saleUuid: string): Html {
  const { figures, freshness, units, price } = view;
  const { chart: words } = texts();
  // Without script nothing on the page says that it goes on being true.
  const present = ({ text }: Figure) => (freshness.name === "now" ? text : datedText(text, freshness));
  const marks = marksOf(view, shortUnits(units));
  const names: readonly ChartName[] = figures.clearing
    ? ["history", "demand", "clearing", "count"]
    : ["history", "count"];
  return html`<div class="charts">
<div class="chart-tabs needs-script" role="group" aria-label="${words.tabs}">${names.map(tab)}</div>
${chart("history", words.history, present(figures.total))}
${figures.clearing && chart("demand", words.demand, marks.map(({ label }) => label).join(", "))}
${figures.clearing && chart("clearing", words.clearing, present(price === "floor" ? { ...figures.clearing, text: fill(words.floor, { price: figures.clearing.text }) } : figures.clearing))}
${chart("count", words.count, present(figures.count))}
</div>`;

  /** Returns the button that shows a chart where there is room for one only. */
  function tab(name: ChartName, index: number): Html {
    return html`<button type="button" data-tab="${name}" aria-pressed="${String(index === 0)}">${tabName(name)}</button>`;
  }

  /** @param text description of the chart */
  function chart(name: ChartName, title: string, text: string): Html {
    return html`<figure class="panel chart" data-chart="${name}"${name === names[0] && html` data-shown`}${name === "demand" ? floorOf(view) : ""} aria-labelledby="${name}-title">
<figcaption><h2 id="${name}-title">${title}</h2><p class="readout quiet"></p></figcaption>
<div class="plot"><noscript><img src="/sales/${saleUuid}/${name}.svg" alt="${fill(words.described, { title, text })}" width="${IMAGE.width}" height="${IMAGE.height}"></noscript></div>
<details class="needs-script"><summary>${words.numbers}</summary></details>
</figure>`;
  }
}

/** Returns the floor of an auction as attributes, for the script that marks it. */
function floorOf({ floor }: SaleView): Html | undefined {
  return floor && html` data-floor-numerator="${floor.numerator}" data-floor-denominator="${floor.denominator}"`;
}
