import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import type { SaleSummary } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { ShownRules } from "../public-read/cache/sale-rules.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { pageFrame } from "./page-frame.ts";
import { saleFilePath } from "./sale-files.ts";
import { rulesPath } from "./sections/rules-link.ts";
import { rulesList } from "./sections/rules-list.ts";
import { inLanguage } from "./view/in-language.ts";

/** A sale, with the rules that its founder shows to everybody. */
export interface RulesPage {
  readonly saleUuid: string;
  readonly language: Language;
  readonly summary: SaleSummary;
  /** Undefined where they aren't for everybody, or aren't known. */
  readonly shown: ShownRules | undefined;
}

/** Returns the page that says who may take part in a sale. The sale's page shows its list, too. */
export function rulesPage({ saleUuid, language, summary, shown }: RulesPage): Buffer {
  const { rules, sale } = TEXTS[language];
  return inLanguage(language, () =>
    pageFrame({
      title: `${rules.title} – ${summary.name}`,
      head: html`<meta name="robots" content="noindex"><link rel="stylesheet" href="${saleFilePath("later.css")}">`,
      content: html`<main class="message panel">
<p><a href="/sales/${saleUuid}"><bdi>${summary.name || sale.about.sale}</bdi></a></p>
<h1>${rules.title}</h1>
${shown === undefined ? html`<p>${rules.none}</p>` : rulesList(shown, summary, language)}
</main>`,
      isMessage: true,
      language,
      address: rulesPath(saleUuid),
    }),
  );
}
