import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import type { DefinitionLine } from "../../../common/sale/words/definition-lines.ts";
import { publicRulesLines } from "../../../common/sale/words/rules-lines.ts";
import { saleUnits } from "../../../common/sale/words/sale-units.ts";
import type { SaleSummary } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { ShownRules } from "../../public-read/cache/sale-rules.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import { timeText } from "../browser/times.js";

/** Returns who may take part in a sale, in the words of the founders' own pages. */
export function rulesList({ rules, readAt }: ShownRules, summary: SaleSummary, language: Language): Html {
  const { ruleWords, unitWords } = TEXTS[language].dashboard;
  const pricing = { case: summary.auction === undefined ? "fixed" : "auction" } as const;
  const lines = publicRulesLines(rules, saleUnits({ ...summary, pricing }, unitWords, language), {
    ruleWords,
    language,
  });
  return html`<div id="rules"><p>${TEXTS[language].rules.text}${readAt !== undefined && html` ${dated(readAt, language)}`}</p>
<dl class="facts rules">${lines.map(lineHtml)}</dl></div>`;
}

/** Says when rules were read that couldn't be read again since. */
function dated(readAt: number, language: Language): Html {
  const time = `${new Date(readAt).toISOString().slice(0, 19)}Z`;
  const shown = html`<time datetime="${time}">${timeText(time, "minute")} UTC</time>`;
  return fillHtml(TEXTS[language].rules.readAt, { time: shown });
}

function lineHtml({ label, text, detail }: DefinitionLine): Html {
  return html`<dt dir="auto">${label}</dt><dd>${text}${detail !== undefined && html`<br>${detail}`}</dd>
`;
}
