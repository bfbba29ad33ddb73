import { create } from "@bufbuild/protobuf";
import { html, raw } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import { CommitmentDataSchema } from "../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type { SaleSummary } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { publicBody } from "../public-read/cache/public-body.ts";
import { Representation } from "../public-read/cache/representation.ts";
import type { Html } from "../web/pages/layout.ts";
import type { Source } from "./browser/source-text.js";
import { texts } from "./browser/words.js";
import { pageFrame } from "./page-frame.ts";
import { saleFilePath } from "./sale-files.ts";
import { scriptWords } from "./script-words.ts";
import { aboutHead, aboutSection } from "./sections/about.ts";
import { heroSection } from "./sections/hero.ts";
import { sourceSection } from "./sections/source.ts";
import { termsSection } from "./sections/terms.ts";
import { verifyLink } from "./sections/verify-link.ts";
import { inLanguage } from "./view/in-language.ts";
import { scriptFacts } from "./view/page-facts.ts";
import { type SaleView, saleView } from "./view/sale-view.ts";

/** Tiles of what the sale's definition says. */
const TERMS = ["price", "offered", "floor"];

/** A public sale whose contract hasn't been read yet. */
export interface UnreadPage {
  readonly saleUuid: string;
  readonly language: Language;
  readonly summary: SaleSummary;
  /** Public facts about the sale as JSON without braces; undefined where they aren't known. */
  readonly factsJson: string | undefined;
  readonly source: Source;
  /** Path of the sale's public read. */
  readonly api: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns the page of a sale without figures: all that its definition says, and why there is no more yet. */
export function unreadPage(page: UnreadPage): Buffer {
  const { saleUuid, summary, factsJson, source, language, now } = page;
  return inLanguage(language, () => {
    const view = saleView({ identity: noFigures(summary), sale: summary, factsJson, source, now });
    const [head, content] = [headOf(view, language), contentOf(view, page)];
    return pageFrame({ title: view.name, head, content, language, address: `/sales/${saleUuid}` });
  });
}

/** Returns a body without commitments, of which no figure is shown. An auction would clear at its floor. */
function noFigures({ auction, paymentTokenDecimals, offeredTokenDecimals }: SaleSummary) {
  const clearingPrice = auction?.floorPrice && { price: auction.floorPrice };
  const offered = offeredTokenDecimals === undefined ? {} : { offeredTokenDecimals };
  const data = { totalAmount: "0", paymentTokenDecimals, ...offered, ...(clearingPrice && { clearingPrice }) };
  return new Representation(0n, 0n, publicBody(create(CommitmentDataSchema, data))).identity;
}

function headOf({ facts }: SaleView, language: Language): Html {
  return html`<meta name="robots" content="noindex">
<script type="application/json" id="tidemark-words">${raw(scriptWords(language, facts.Pricing))}</script>
<link rel="stylesheet" href="${saleFilePath("later.css")}">
<script type="module" src="${saleFilePath("unread.js")}"></script>`;
}

function contentOf(view: SaleView, { api, language }: UnreadPage): Html {
  const { facts, isTest, source, tiles } = view;
  const { about, unread } = texts();
  // On other pages the floor is hidden while the clearing price says it; that isn't shown here.
  const terms = tiles.filter(({ id }) => TERMS.includes(id)).map((tile) => ({ ...tile, isHidden: false }));
  return html`<main class="sale" data-api="${api}" data-sale="${scriptFacts(facts)}">
${isTest && html`<p class="notice">${about.test}</p>`}
${aboutHead(view)}
${heroSection({ ...view, tiles: terms })}
<section class="notice" aria-labelledby="unread"><h2 id="unread">${unread.title}</h2><p>${view.liveness.fault === "" ? unread.text : html`${source.sentence} ${unread.text}`}</p>
<noscript><p>${unread.reload}</p></noscript></section>
<p id="copied" class="copied" role="status"></p>
${aboutSection(view)}
${termsSection(view)}
${sourceSection(view)}
${verifyLink(facts, language)}
</main>`;
}
