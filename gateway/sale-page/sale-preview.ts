import { html } from "hono/html";
import { fill } from "../../common/platform/language/message.ts";
import type { CommitmentData } from "../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type { SaleSummary } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { PublicRules } from "../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { publicBody } from "../public-read/cache/public-body.ts";
import { Representation } from "../public-read/cache/representation.ts";
import { saleFields } from "../public-read/cache/sale-json.ts";
import { fillHtml } from "../web/pages/fill-html.ts";
import type { Html } from "../web/pages/layout.ts";
import { pageLanguage } from "../web/texts/page-language.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { texts } from "./browser/words.js";
import { pageFrame } from "./page-frame.ts";
import { saleFilePath } from "./sale-files.ts";
import { aboutHead, aboutSection } from "./sections/about.ts";
import { decidesSection } from "./sections/decides.ts";
import { heroSection } from "./sections/hero.ts";
import { listSection } from "./sections/list.ts";
import { rulesList } from "./sections/rules-list.ts";
import { sourceSection } from "./sections/source.ts";
import { termsSection } from "./sections/terms.ts";
import { inLanguage } from "./view/in-language.ts";
import { type SaleView, saleView } from "./view/sale-view.ts";

/** A draft as the public would read it if it were open. */
export interface PreviewedSale {
  readonly saleUuid: string;
  readonly data: CommitmentData;
  readonly summary: SaleSummary;
  /** The address that signs purchase permits; empty for none. */
  readonly signer: string;
  /** The rules that its founder shows to everybody; undefined for none. */
  readonly rules: PublicRules | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Headers of a preview: nobody stores, frames or indexes it. It is sandboxed, so that its page is that of a browser without
 * scripts: all that a page's script does wants an open sale.
 */
export const PREVIEW_HEADERS: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  "Content-Security-Policy": [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "sandbox allow-same-origin",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "X-Robots-Tag": "noindex, nofollow",
};

/**
 * Returns the public page of a draft as it will be, marked as a preview. It lacks what only an open sale has: live figures,
 * charts and the look-up of a wallet. It is in the language of the page that is being answered.
 *
 * @param backPath page of the dashboard to which its mark leads
 */
export function salePreview(previewed: PreviewedSale, backPath: string): Buffer {
  const { saleUuid, data, summary, signer, now } = previewed;
  const { identity } = new Representation(0n, 0n, publicBody(data), { sale: summary });
  const factsJson = saleFields({ saleUuid, summary, chain: undefined, signer, origin: "" });
  const language = pageLanguage();
  return inLanguage(language, () => {
    const view = saleView({ identity, sale: summary, factsJson, now });
    return pageFrame({
      title: fill(TEXTS[language].dashboard.preview.title, { name: view.facts.Name }),
      head: html`<meta name="robots" content="noindex, nofollow"><link rel="stylesheet" href="${saleFilePath("later.css")}">`,
      content: contentOf(view, previewed, backPath),
      language,
    });
  });
}

function mark(backPath: string): Html {
  const { mark: text, markWord, backToDraft } = TEXTS[pageLanguage()].dashboard.preview;
  const preview = html`<strong>${markWord}</strong>`;
  const back = html`<a href="${backPath}">${backToDraft}</a>`;
  return html`<p class="notice" role="note">${fillHtml(text, { preview, back })}</p>`;
}

function contentOf(view: SaleView, previewed: PreviewedSale, backPath: string): Html {
  return html`<main class="sale">
${mark(backPath)}
${view.isTest && html`<p class="notice">${texts().about.test}</p>`}
${aboutHead(view)}
${heroSection(view)}
${aboutSection(view)}
${termsSection(view)}
${decidesSection(view, { rules: rulesOf(previewed) })}
${sourceSection(view)}
${listSection(view)}
</main>`;
}

/** Returns who may take part, as the page's script shows it in the place of its link. */
function rulesOf({ rules, summary }: PreviewedSale): Html | undefined {
  if (rules === undefined) return undefined;
  const language = pageLanguage();
  return html`<h3>${TEXTS[language].rules.title}</h3>${rulesList({ rules }, summary, language)}`;
}
