import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import type { Html } from "../web/pages/layout.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { pageFrame } from "./page-frame.ts";
import { VERIFY_PATH } from "./sections/verify-link.ts";

const EXAMPLE = "11111111-1111-4111-8111-111111111111";

/**
 * Returns the page that says how to compare a sale's figures with its contract, and what that proves.
 *
 * @param origin of the sales' pages
 */
export function verifyPage(language: Language, origin = "https://tidemark.example"): Buffer {
  const { verify } = TEXTS[language];
  const head = html`<meta name="description" content="${verify.description}">`;
  const content = html`<main class="message panel">
<h1>${verify.title}</h1>
<p>${verify.intro}</p>
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

function list(title: string, items: readonly string[]): Html {
  return html`<h2>${title}</h2>
<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}
