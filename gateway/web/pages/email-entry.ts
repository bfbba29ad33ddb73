import { html } from "hono/html";
import { withoutOuterBlanks } from "../../../common/platform/names/hidden-characters.ts";
import type { Html } from "./layout.ts";

const MAX_CHARACTERS = 254;

/**
 * The attributes of a field for an e-mail address, whose form needs `novalidate`: browsers refuse invisible characters that were copied
 * along, which the auth service takes away. The type remains, for keyboards and password managers.
 */
export const EMAIL_ATTRIBUTES: Html = html`type="email" maxlength="${MAX_CHARACTERS}" autocapitalize="none" spellcheck="false"`;

/** Returns the address that was entered in a form, without what was copied along. */
export function enteredEmail(form: { text(name: string): string }): string {
  return withoutOuterBlanks(form.text("email"));
}

/** Whether a text looks like an e-mail address; the auth service decides. */
export function isEmailLike(text: string): boolean {
  return text.length <= MAX_CHARACTERS && /^[^\s@]+@[^\s@]+$/.test(text);
}
