import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import type { Html } from "../../web/pages/layout.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import type { PageFacts } from "../view/page-facts.ts";

/** Path of the page below `/sales/`. No sale has it, as it is no UUID. */
export const VERIFY_PATH = "verify";

/** Returns the line that leads to how the figures can be checked; nothing for a sale without a contract. */
export function verifyLink({ Contract, SaleUUID }: Pick<PageFacts, "Contract" | "SaleUUID">, language: Language): Html {
  if (Contract === undefined) return html``;
  return html`<p class="sources quiet"><a href="/sales/${VERIFY_PATH}?sale=${SaleUUID}">${TEXTS[language].verify.link}</a></p>`;
}
