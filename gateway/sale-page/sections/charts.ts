import { html } from "hono/html";
import type { Html } from "../../web/pages/layout.ts";
import type { Figure } from "../browser/figures.js";
import { marksOf } from "../browser/marks.js";
import { type ChartName, IMAGE } from "../chart-image.ts";
import type { SaleView } from "../sale-view.ts";

/** Heads of a chart's table, whose rows `charts.js` writes. */
const TABLE_HEADS: Readonly<Record<ChartName, (perToken: string) => readonly (string | Html)[]>> = {
  history: () => ["Time", "Committed", "Commitments"],
  clearing: (perToken) => ["Time", html`Clearing price <span data-per>${perToken}</span>`],
  count: () => ["Time", "Commitments"],
  demand: (perToken) => [html`Price <span data-per>${perToken}</span>`, "Bid at this price or more"],
};

/** Returns the places of a sale's charts, which have images where no script runs. */
export function chartsSection(view: SaleView, saleUuid: string): Html {
  const { figures, status, perToken, units } = view;
  const present = ({ text }: Figure) => (status.name === "settled" ? text : `${text} now`);
  const marks = marksOf(view, units);
  return html`<div class="charts">
${chart("history", "Committed over time", present(figures.total))}
${figures.clearing && chart("demand", "Demand by price", marks.map(({ label }) => label).join(", "))}
${figures.clearing && chart("clearing", "Clearing price over time", present(figures.clearing))}
${chart("count", "Commitments over time", present(figures.count))}
</div>`;

  /** @param text description of the chart */
  function chart(name: ChartName, title: string, text: string): Html {
    return html`<figure class="panel chart" data-chart="${name}"${name === "demand" ? floorOf(view) : ""} aria-labelledby="${name}-title">
<figcaption><h2 id="${name}-title">${title}</h2><p class="readout quiet"></p></figcaption>
<div class="plot"><noscript><img src="/sales/${saleUuid}/${name}.svg" alt="${title}. ${text}." width="${IMAGE.width}" height="${IMAGE.height}"></noscript></div>
<details class="needs-script"><summary>Numbers of this chart</summary>
<div class="numbers" role="region" aria-labelledby="${name}-title" tabindex="0"><table>
<caption class="hidden">${title}</caption>
<thead><tr>${TABLE_HEADS[name](perToken).map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody></tbody>
</table></div></details>
</figure>`;
  }
}

/** Returns the floor of an auction as attributes, for the script that marks it. */
function floorOf({ floor }: SaleView): Html | undefined {
  return floor && html` data-floor-numerator="${floor.numerator}" data-floor-denominator="${floor.denominator}"`;
}
