import { html } from "hono/html";
import type { Html } from "../web/pages/layout.ts";
import type { Figure } from "./browser/figures.js";
import { marksOf } from "./browser/marks.js";
import type { Row } from "./browser/row-texts.js";
import { type ChartName, IMAGE } from "./chart-image.ts";
import { pageFrame } from "./page-frame.ts";
import { saleFilePath } from "./sale-files.ts";
import type { SaleView } from "./sale-view.ts";
import { SHARE_IMAGE } from "./share-image/share-image.ts";

export interface SaleDocumentOptions {
  readonly saleUuid: string;
  /** Path of the sale's public read. */
  readonly api: string;
  /** Origin of the page for its canonical link; undefined for a page without one. */
  readonly origin: string | undefined;
  /** The part that looks up a wallet. */
  readonly lookUp: Html;
}

/** Heads of a chart's table, whose rows `charts.js` writes. */
const TABLE_HEADS: Readonly<Record<ChartName, (perToken: string) => readonly string[]>> = {
  history: () => ["Time", "Committed", "Commitments"],
  clearing: (perToken) => ["Time", `Clearing price ${perToken}`],
  count: () => ["Time", "Commitments"],
  demand: (perToken) => [`Price ${perToken}`, "Bid at this price or more"],
};

/** Returns the page of a sale as HTML. It is complete without its script, which keeps it current. */
export function saleDocument(view: SaleView, options: SaleDocumentOptions): Buffer {
  return pageFrame({ title: view.name, head: headOf(view, options), content: contentOf(view, options) });
}

function headOf(view: SaleView, { saleUuid, origin }: SaleDocumentOptions): Html {
  const description = descriptionOf(view);
  return html`<meta name="description" content="${description}">
${view.isTest && html`<meta name="robots" content="noindex">`}
<meta property="og:type" content="website">
<meta property="og:site_name" content="Tidemark">
<meta property="og:title" content="${view.name}">
<meta property="og:description" content="${description}">
${origin && addressOf(`${origin}/sales/${saleUuid}`, `${view.name}: ${figuresText(view)}`)}
<link rel="stylesheet" href="${saleFilePath("look-up.css")}">
<script type="module" src="${saleFilePath("sale.js")}"></script>
<script type="module" src="${saleFilePath("look-up-start.js")}"></script>
${["deadline.js", "feed.js", "figures.js", "liveness.js", "numbers.js", "pace.js", "row-texts.js", "rows.js"].map((name) => html`<link rel="modulepreload" href="${saleFilePath(name)}">`)}`;
}

/** @param imageText in place of the image */
function addressOf(page: string, imageText: string): Html {
  return html`<link rel="canonical" href="${page}">
<meta property="og:url" content="${page}">
<meta property="og:image" content="${page}/share.png">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${SHARE_IMAGE.width}">
<meta property="og:image:height" content="${SHARE_IMAGE.height}">
<meta property="og:image:alt" content="${imageText}">
<meta name="twitter:card" content="summary_large_image">`;
}

function descriptionOf(view: SaleView): string {
  const end = view.status.name === "settled" ? "" : " See it live.";
  return `${view.status.text}: ${figuresText(view)}.${end}`;
}

function figuresText({ figures, fixedPrice, perToken }: SaleView): string {
  const { total, count, clearing } = figures;
  const commitments = count.exact === "1" ? "commitment" : "commitments";
  const clears = clearing === undefined ? "" : `, clearing at ${clearing.text} ${perToken}`;
  const costs = fixedPrice === undefined ? "" : `, at ${fixedPrice.text} ${perToken}`;
  return `${total.text} in ${count.text} ${commitments}${clears}${costs}`;
}

function contentOf(view: SaleView, { api, saleUuid, lookUp }: SaleDocumentOptions): Html {
  const { figures, fixedPrice, status, isTest, perToken, units } = view;
  const isSettled = status.name === "settled";
  const present = ({ text }: Figure) => (isSettled ? text : `${text} now`);
  const marks = marksOf(view, units);
  return html`<main class="sale" data-api="${api}" data-symbol="${units.symbol ?? ""}"${units.dollars ? html` data-dollars` : ""}>
${isTest && html`<p class="notice">This is a test: no real money moves.</p>`}
<header class="sale-head">
<div>
<p class="kind">${figures.clearing === undefined ? "Token sale" : "Token auction"} <span id="status" class="status" data-status="${status.name}">${status.text}</span></p>
<h1 id="name"><bdi>${view.name}</bdi></h1>
</div>
<div class="live">
<p id="state" class="state needs-script" data-state="${isSettled ? "settled" : "connecting"}" role="status">${isSettled ? "The sale is over" : "Connecting…"}</p>
<button type="button" id="pause" class="secondary small needs-script"${isSettled ? html` hidden` : ""}>Pause</button>
<noscript><p class="quiet">Reload this page for newer figures.</p></noscript>
</div>
<p id="source" class="source quiet needs-script"></p>
</header>
<dl class="tiles">
${tile("total", "Committed", figures.total)}
${tile("count", "Commitments", figures.count)}
${figures.clearing && tile("clearing", `Clearing price ${perToken}`, figures.clearing)}
${fixedPrice && tile("price", `Price ${perToken}`, fixedPrice)}
</dl>
<p id="copied" class="copied" role="status"></p>
<div class="charts">
${chart("history", "Committed over time", present(figures.total))}
${figures.clearing && chart("demand", "Demand by price", marks.map(({ label }) => label).join(", "))}
${figures.clearing && chart("clearing", "Clearing price over time", present(figures.clearing))}
${chart("count", "Commitments over time", present(figures.count))}
</div>
${lookUp}
<section class="panel list">
<h2>Latest commitments</h2>
${rowsOf(view)}
</section>
<p class="sources quiet">The exact figures, for programs: <a href="${api}/commitment-data">sale</a>, <a href="${api}/history">history</a>${figures.clearing && html`, <a href="${api}/demand">demand</a>`}.</p>
</main>`;

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

function tile(id: string, label: string, { text, exact }: Figure): Html {
  return html`<div class="tile"><dt>${label}</dt><dd><data id="${id}" value="${exact}" title="${exact}">${text}</data></dd>
<dd class="needs-script"><button type="button" class="link copy" data-copies="${id}">Copy<span class="hidden"> exactly: ${label}</span></button></dd></div>`;
}

function rowsOf({ rows, perToken }: SaleView): Html {
  return html`<p id="none"${rows.length > 0 ? html` hidden` : ""}>Nobody has committed yet.</p>
<table id="latest"${rows.length === 0 ? html` hidden` : ""}>
<caption class="hidden">The latest commitments, newest first: 100 at most</caption>
<thead><tr><th scope="col">Time</th><th scope="col">Wallet</th><th scope="col">Amount</th><th scope="col">Price ${perToken}</th></tr></thead>
<tbody>${rows.map(rowHtml)}</tbody>
</table>`;
}

/** Returns a row of the list, the same as `newRow` of the page's script. */
function rowHtml({ time, moment, wallet, amount, price }: Row): Html {
  return html`<tr><td class="time"><time datetime="${time}">${moment}</time></td>${cell("wallet", wallet)}${cell("amount", amount)}${cell("price", price)}</tr>
`;
}

function cell(name: string, { text, exact }: Figure): Html {
  return html`<td class="${name}" title="${exact}">${text}</td>`;
}
