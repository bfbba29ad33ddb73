import { PageError } from "../../web/pages/page-error.ts";
import { isRefusedByRule } from "../../web/sessions/auth-failure.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import { signInUrl } from "../../web/sessions/session.ts";

/** Words for somebody who must sign in with a passkey. */
export interface PasskeyDemand {
  readonly title: string;
  /** To those who have a passkey. */
  readonly byCode: string;
  /** To those who have none. */
  readonly none: string;
}

/** The demand on the owners and editors of a sale. */
export const SALE_DEMAND: PasskeyDemand = {
  title: "This sale requires a passkey",
  byCode: "Its owners require that of owners and editors, and you signed in with a code.",
  none: "Its owners require that of owners and editors. Your account has no passkey yet: add one, then sign in with it.",
};

/** Whether a call was refused because the sale requires a passkey of an owner or editor who signed in with a code. */
export function isPasskeyMissing(error: unknown): boolean {
  return isRefusedByRule(error, "sale.passkey_required");
}

/**
 * Returns the page for somebody who must sign in with a passkey.
 *
 * @param hasPasskey whether they have one
 * @param next the page to return to
 */
export function passkeyNeeded({ title, byCode, none }: PasskeyDemand, hasPasskey: boolean, next: string): PageError {
  const href = signInUrl({ next, isRepeated: true, needsPasskey: true });
  return hasPasskey
    ? new PageError(403, title, byCode, { link: { href, text: "Sign in with a passkey" } })
    : new PageError(403, title, none, { link: { href: AUTH_PATHS.passkeys, text: "Add a passkey" } });
}
