import { html } from "hono/html";
import type { Texts } from "../texts/en.ts";
import type { Html } from "./layout.ts";
import { type PageAsset, readScript } from "./page-assets.ts";

/** The module that asks for passkeys. */
export const PASSKEY_MODULE = new URL("../browser/passkeys.js", import.meta.url);
/** The script of the pages that ask for passkeys. */
export const PASSKEY_SCRIPT: PageAsset = readScript(PASSKEY_MODULE);

export interface PasskeyForm {
  readonly kind: "sign-in" | "add";
  /** Path that takes the answer, in the field `credential`. */
  readonly action: string;
  /** Path that answers the question for the passkey. */
  readonly question: string;
  /** The hidden fields, and those that the user fills in. */
  readonly fields: Html;
  readonly button: string;
  readonly isPrimary?: boolean;
  /** Whether a line sets it apart from what is above. */
  readonly isAside?: boolean;
}

/**
 * Returns a form that the script fills with the answer of a passkey. Its button waits for the script, before which the form
 * can't be sent by the Enter key either. Without script, or passkeys, the form isn't shown.
 */
export function passkeyForm(
  { kind, action, question, fields, button, isPrimary = false, isAside = false }: PasskeyForm,
  { passkeyScript }: Texts,
): Html {
  return html`<form class="needs-script${isAside ? " aside" : ""}" method="post" action="${action}" data-passkey="${kind}" data-question="${question}" data-texts="${JSON.stringify(passkeyScript)}">
${fields}
<button disabled class="${isPrimary ? "primary" : "secondary"}">${button}</button>
<p class="hint" role="status"></p>
</form>`;
}
