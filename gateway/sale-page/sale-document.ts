import { html, raw } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import type { Html } from "../web/pages/layout.ts";
import { markedTitle } from "./browser/freshness.js";
import { textsKey } from "./browser/sale-texts.js";
import { texts } from "./browser/words.js";
import { pageFrame } from "./page-frame.ts";
import { saleFilePath } from "./sale-files.ts";
import { scriptWords } from "./script-words.ts";
import { aboutHead, aboutSection } from "./sections/about.ts";
import { chartsSection } from "./sections/charts.ts";
import { decidesSection } from "./sections/decides.ts";
import { heroSection } from "./sections/hero.ts";
import { listSection } from "./sections/list.ts";
import { liveSection } from "./sections/live.ts";
import { rulesLink } from "./sections/rules-link.ts";
import { sourceSection } from "./sections/source.ts";
import { termsSection } from "./sections/terms.ts";
import { verifyLink } from "./sections/verify-link.ts";
import { whatIfSection } from "./sections/what-if.ts";
import { SHARE_IMAGE } from "./share-image/share-image.ts";
import { descriptionOf, figuresText } from "./view/description.ts";
import { scriptFacts } from "./view/page-facts.ts";
import type { SaleView } from "./view/sale-view.ts";

/** Longest name of a sale in the title. */
const TITLE_CHARACTERS = 80;

export interface SaleDocumentOptions extends DocumentAddress {
  /** Path of the sale's public read. */
  readonly api: string;
  /** Path of the public read of positions. */
  readonly readPath: string;
  /** The part that looks up a wallet. */
  readonly lookUp: Html;
  /** Whether there is a page with its rules. */
  readonly hasRules: boolean;
}

/** Returns the page of a sale as HTML. It is complete without its script, which keeps it current. */
export function saleDocument(view: SaleView, options: SaleDocumentOptions): Buffer {
  const { language, saleUuid } = options;
  const address = `/sales/${saleUuid}`;
  const [head, content] = [documentHead(view, options), contentOf(view, options)];
  return pageFrame({
    title: markedTitle(titleName(view.name), view.freshness.isStale),
    head,
    content,
    language,
    address,
  });
}

/** Returns a sale's name as a tab or a preview elsewhere can show it; the page's heading has all of it. */
function titleName(name: string): string {
  const characters = Array.from(name);
  return characters.length <= TITLE_CHARACTERS ? name : `${characters.slice(0, TITLE_CHARACTERS - 1).join("")}…`;
}

function contentOf(view: SaleView, options: SaleDocumentOptions): Html {
  const { api, saleUuid, lookUp, language, hasRules } = options;
  const { facts, figures, isTest, units } = view;
  const { programs } = texts();
  // The page of a result: what came of the sale, and below it, folded, how that came about.
  const isOver = view.stage.phase === "settled";
  return html`<main class="sale" data-api="${api}" data-symbol="${units.symbol ?? ""}"${units.dollars ? html` data-dollars` : ""} data-texts="${textsKey(facts)}"${isOver && html` data-result`}${view.freshness.isStale && html` data-stale`}>
${isTest && html`<p class="notice">${texts().about.test}</p>`}
${aboutHead(view)}
${liveSection(view)}
${heroSection(view, verifyLink(facts, language))}
<p id="copied" class="copied" role="status"></p>
${lookUp}
${aboutSection(view)}
${termsSection(view)}
${whatIfSection(view)}
${!isOver && chartsSection(view, saleUuid)}
${decidesSection(view, { rules: hasRules ? rulesLink(saleUuid, language) : undefined, checked: options })}
${sourceSection(view)}
${isOver ? foldedSection(view, saleUuid) : listSection(view)}
<p class="sources quiet">${programs.intro} <a href="${api}/commitment-data">${programs.figures}</a>, <a href="${api}">${programs.sale}</a>, <a href="${api}/history">${programs.history}</a>${figures.clearing && html`, <a href="${api}/demand">${programs.demand}</a>`}${isOver && html`, <a href="/sales/${saleUuid}/share.png">${programs.image}</a>`}.</p>
</main>`;
}

/** Returns what went on while a sale lasted: its charts and its latest commitments. */
function foldedSection(view: SaleView, saleUuid: string): Html {
  return html`<details class="panel folded"><summary>${texts().result.went}</summary>
${chartsSection(view, saleUuid)}
${listSection(view)}
</details>`;
}

/** The address of a sale's page. */
interface DocumentAddress {
  readonly saleUuid: string;
  readonly language: Language;
  /** Origin of the page for its canonical link; undefined for a page without one. */
  readonly origin: string | undefined;
}

/** The modules that `sale.js` imports, so that a browser loads all of them at once. */
const PRELOADED = [
  "client.js",
  "clock.js",
  "countdown-view.js",
  "countdown.js",
  "deadline.js",
  "feed.js",
  "figures-view.js",
  "figures.js",
  "liveness.js",
  "message.js",
  "numbers.js",
  "offer-rules.js",
  "offer.js",
  "pace.js",
  "row-texts.js",
  "sale-rules.js",
  "sale-texts.js",
  "source-text.js",
  "stage-texts.js",
  "tiles.js",
  "timeline-rules.js",
  "times-view.js",
  "times.js",
  "words.js",
];

/** Returns the content of the head of a sale's page: what other sites show of it, and the script. */
function documentHead(view: SaleView, { saleUuid, origin, language }: DocumentAddress): Html {
  const description = descriptionOf(view, language);
  return html`<meta name="description" content="${description}">
${view.isTest && html`<meta name="robots" content="noindex">`}
<meta property="og:type" content="website">
<meta property="og:site_name" content="Tidemark">
<meta property="og:title" content="${titleName(view.name)}">
<meta property="og:description" content="${description}">
${origin && addressOf(`${origin}/sales/${saleUuid}`, figuresText(view, language))}
<noscript><link rel="stylesheet" href="${saleFilePath("later.css")}"></noscript>
<script type="application/json" id="tidemark-words">${raw(scriptWords(language, view.facts.Pricing))}</script>
<script type="application/json" id="tidemark-sale">${raw(scriptFacts(view.facts))}</script>
<script type="module" src="${saleFilePath("sale.js")}"></script>
<script type="module" src="${saleFilePath("look-up-start.js")}"></script>
${PRELOADED.map((name) => html`<link rel="modulepreload" href="${saleFilePath(name)}">`)}`;
}

/** @param imageText in place of the image; the name stands in the title */
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
