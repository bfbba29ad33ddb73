import { html } from "hono/html";
import type { Html } from "../web/pages/layout.ts";
import { saleFilePath } from "./sale-files.ts";
import type { SaleView } from "./sale-view.ts";
import { SHARE_IMAGE } from "./share-image/share-image.ts";

/** The address of a sale's page. */
export interface DocumentAddress {
  readonly saleUuid: string;
  /** Origin of the page for its canonical link; undefined for a page without one. */
  readonly origin: string | undefined;
}

/** The modules that `sale.js` imports, so that a browser loads all of them at once. */
const PRELOADED = [
  "client.js",
  "clock.js",
  "copying.js",
  "countdown-view.js",
  "countdown.js",
  "deadline.js",
  "feed.js",
  "figures.js",
  "liveness.js",
  "local-time.js",
  "numbers.js",
  "offer.js",
  "pace.js",
  "page-texts.js",
  "row-texts.js",
  "rows.js",
  "sale-texts.js",
  "source-text.js",
  "stage-texts.js",
  "tiles-view.js",
  "tiles.js",
];

/** Returns the content of the head of a sale's page: what other sites show of it, and the script. */
export function documentHead(view: SaleView, { saleUuid, origin }: DocumentAddress): Html {
  const description = descriptionOf(view);
  return html`<meta name="description" content="${description}">
${view.isTest && html`<meta name="robots" content="noindex">`}
<meta property="og:type" content="website">
<meta property="og:site_name" content="Tidemark">
<meta property="og:title" content="${view.name}">
<meta property="og:description" content="${description}">
${origin && addressOf(`${origin}/sales/${saleUuid}`, `${view.name}: ${figuresText(view)}`)}
<script type="module" src="${saleFilePath("sale.js")}"></script>
<script type="module" src="${saleFilePath("look-up-start.js")}"></script>
${PRELOADED.map((name) => html`<link rel="modulepreload" href="${saleFilePath(name)}">`)}`;
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
