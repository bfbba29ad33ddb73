import { html, raw } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import type { Html } from "../web/pages/layout.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { pageFrame } from "./page-frame.ts";
import { saleFilePath } from "./sale-files.ts";
import { scriptJson } from "./script-words.ts";
import { VERIFY_PATH } from "./sections/verify-link.ts";

const EXAMPLE = "11111111-1111-4111-8111-111111111111";

/**
 * Returns the page that says how to compare a sale's figures with its contract, and what that proves.
 *
 * @param origin of the sales' pages
 */
export function verifyPage(language: Language, origin = "https://tidemark.example"): Buffer {
  const { verify } = TEXTS[language];
  const { compare } = TEXTS[language].sale;
  const head = html`<meta name="description" content="${verify.description}">
<link rel="stylesheet" href="${saleFilePath("verify.css")}">
<script type="application/json" id="tidemark-words">${raw(scriptJson({ compare }))}</script>
<script type="module" src="${saleFilePath("verify.js")}"></script>`;
  const content = html`<main class="message panel">
<h1>${verify.title}</h1>
<p>${verify.intro}</p>
${compareForm(language)}
${list(verify.needs.title, [verify.needs.source, verify.needs.page, verify.needs.node, verify.needs.contract])}
<pre><code>npm run tidemark -- verify \\
  ${origin}/sales/${EXAMPLE} \\
  --rpc https://node.example \\
  --contract 0x… --chain-id 1</code></pre>
<p>${verify.wallet}</p>
<p>${verify.codes}</p>
${list(verify.compared.title, [verify.compared.totals, verify.compared.latest, verify.compared.facts, verify.compared.block])}
${list(verify.believed.title, [verify.believed.node, verify.believed.contract, verify.believed.settings, verify.believed.command])}
<p class="quiet">${verify.more}</p>
</main>`;
  return pageFrame({ title: verify.title, head, content, isMessage: true, language, address: `/sales/${VERIFY_PATH}` });
}

/** Returns the form that the page's script answers. */
function compareForm(language: Language): Html {
  const { compare } = TEXTS[language].sale;
  return html`<section class="compare" aria-labelledby="compare-title">
<h2 id="compare-title">${compare.title}</h2>
<p>${compare.intro}</p>
<noscript><p class="notice">${compare.noScript}</p></noscript>
<form id="compare" novalidate>
${urlField("compare-sale", compare.sale, undefined, compare.saleError)}
${urlField("compare-node", compare.node, compare.nodeHint, compare.nodeError)}
${urlField("compare-contract", compare.contract, compare.contractHint, compare.contractError)}
<div class="with-wallets" id="compare-wallets"><button class="primary">${compare.submit}</button></div>
</form>
<p id="compare-state" role="status"></p>
<progress id="compare-progress" aria-labelledby="compare-title" hidden></progress>
<button type="button" class="secondary" id="compare-stop" hidden>${compare.stop}</button>
<div id="compare-outcome"></div>
</section>`;
}

function urlField(id: string, label: string, hint: string | undefined, error: string): Html {
  const described = hint === undefined ? `${id}-error` : `${id}-error ${id}-hint`;
  return html`<div class="entry"><label for="${id}">${label}</label>${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
<p class="field-error" id="${id}-error" role="alert" hidden>${error}</p>
<input type="url" id="${id}" aria-describedby="${described}" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="2000"></div>`;
}

function list(title: string, items: readonly string[]): Html {
  return html`<h2>${title}</h2>
<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}
