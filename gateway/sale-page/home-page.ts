import { html } from "hono/html";
import type { SaleFacts } from "../../client/sale.ts";
import type { Language } from "../../common/platform/language/language.ts";
import { type TimelineFacts, timeline } from "../../common/sale/state/timeline.ts";
import type { Html } from "../web/pages/layout.ts";
import { type PageText, TEXTS } from "../web/texts/texts.ts";
import { awaitedText } from "./browser/countdown.js";
import { stageTexts } from "./browser/stage-texts.js";
import { timeText, UTC } from "./browser/times.js";
import { pageFrame } from "./page-frame.ts";
import { inLanguage } from "./view/in-language.ts";

/** A link of the page at `/`. */
export interface HomeLink {
  readonly href: string;
  readonly text: PageText;
  /** Sentence about what is there. */
  readonly detail: PageText;
}

/** Facts of a sale that the start page says. */
export type ListedSale = Pick<SaleFacts, "SaleUUID" | "Name" | "Tenancy" | "Pricing"> & TimelineFacts;

export interface HomeView {
  readonly links: readonly HomeLink[];
  /** The sales that their founders list; undefined where the list can't be read. */
  readonly sales: readonly ListedSale[] | undefined;
  readonly language: Language;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns the page at `/`, for somebody who has only the host's name. */
export function homePage({ links, sales, language, now }: HomeView): Buffer {
  const texts = TEXTS[language];
  const { home } = texts;
  const items = links.map(
    ({ href, text, detail }) =>
      html`<li><p><a href="${href}">${text(texts)}</a></p><p class="quiet">${detail(texts)}</p></li>`,
  );
  const content = html`<main class="message panel">
<h1>Tidemark</h1>
<p>${home.text}</p>
${inLanguage(language, () => salesSection(sales, home, now))}
<ul class="home-links">${items}</ul>
</main>`;
  return pageFrame({ title: home.title, content, isMessage: true, language, address: "/" });
}

/** Returns the listed sales; nothing where no founder lists any. */
function salesSection(sales: HomeView["sales"], home: (typeof TEXTS)[Language]["home"], now: number): Html | "" {
  if (sales?.length === 0) return "";
  const list =
    sales === undefined
      ? html`<p class="quiet">${home.salesAway}</p>`
      : html`<ul class="home-links">${sales.map((sale) => saleItem(sale, home.test, now))}</ul>`;
  return html`<section aria-labelledby="sales"><h2 id="sales">${home.sales}</h2>${list}</section>`;
}

function saleItem(sale: ListedSale, test: string, now: number): Html {
  const { phase, status } = stageTexts(sale, now);
  const { awaited } = timeline(sale, now);
  const words = [
    ...(sale.Tenancy === "test" ? [test] : []),
    ...(awaited === undefined ? [] : [`${awaitedText(awaited.name)} ${timeText(awaited.time, "minute")} ${UTC}`]),
  ];
  return html`<li><p><a href="/sales/${sale.SaleUUID}"><bdi>${sale.Name}</bdi></a> <span class="status" data-status="${phase}">${status}</span></p>
${words.length > 0 && html`<p class="quiet">${words.join(" · ")}</p>`}</li>`;
}
