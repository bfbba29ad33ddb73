import { html } from "hono/html";
import type { Html } from "../web/pages/layout.ts";
import { textsKey } from "./browser/sale-texts.js";
import { texts } from "./browser/words.js";
import { pageFrame } from "./page-frame.ts";
import { type DocumentAddress, documentHead } from "./sale-document-head.ts";
import { aboutSection } from "./sections/about.ts";
import { chartsSection } from "./sections/charts.ts";
import { listSection } from "./sections/list.ts";
import { liveSection } from "./sections/live.ts";
import { sourceSection } from "./sections/source.ts";
import { stageSection } from "./sections/stage.ts";
import { tilesSection } from "./sections/tiles.ts";
import { verifyLink } from "./sections/verify-link.ts";
import { scriptFacts } from "./view/page-facts.ts";
import type { SaleView } from "./view/sale-view.ts";

export interface SaleDocumentOptions extends DocumentAddress {
  /** Path of the sale's public read. */
  readonly api: string;
  /** The part that looks up a wallet. */
  readonly lookUp: Html;
}

/** Returns the page of a sale as HTML. It is complete without its script, which keeps it current. */
export function saleDocument(view: SaleView, options: SaleDocumentOptions): Buffer {
  const { language, saleUuid } = options;
  const address = `/sales/${saleUuid}`;
  const [head, content] = [documentHead(view, options), contentOf(view, options)];
  return pageFrame({ title: view.name, head, content, language, address });
}

function contentOf(view: SaleView, { api, saleUuid, lookUp, language }: SaleDocumentOptions): Html {
  const { facts, figures, isTest, units } = view;
  const { programs } = texts();
  return html`<main class="sale" data-api="${api}" data-symbol="${units.symbol ?? ""}"${units.dollars ? html` data-dollars` : ""} data-texts="${textsKey(facts)}" data-sale="${scriptFacts(facts)}">
${isTest && html`<p class="notice">${texts().about.test}</p>`}
${aboutSection(view)}
${stageSection(view)}
${liveSection(view)}
${tilesSection(view)}
<p id="copied" class="copied" role="status"></p>
${chartsSection(view, saleUuid)}
${lookUp}
${sourceSection(view)}
${listSection(view)}
<p class="sources quiet">${programs.intro} <a href="${api}/commitment-data">${programs.figures}</a>, <a href="${api}">${programs.sale}</a>, <a href="${api}/history">${programs.history}</a>${figures.clearing && html`, <a href="${api}/demand">${programs.demand}</a>`}.</p>
${verifyLink(facts, language)}
</main>`;
}
