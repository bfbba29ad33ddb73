import { toServiceError } from "../../services/shared/rpc/errors.ts";
import { AUTH_PATHS } from "../web/auth/auth-paths.ts";
import { signInUrl } from "../web/auth/session.ts";
import { PageError } from "../web/pages/page-error.ts";

/** The rule that auth names where a sale requires a passkey of an owner or editor who signed in with a code. */
const RULE = "sale.passkey_required";

/** Whether a call was refused because the sale requires a passkey. */
export function isPasskeyMissing(error: unknown): boolean {
  return toServiceError(error)?.violations.some(({ rule }) => rule === RULE) ?? false;
}

/**
 * Returns the page for an owner or editor who must sign in with a passkey.
 *
 * @param hasPasskey whether they have one
 * @param next the page to return to
 */
export function passkeyNeeded(hasPasskey: boolean, next: string): PageError {
  const href = signInUrl({ next, isRepeated: true, needsPasskey: true });
  return hasPasskey
    ? new PageError(403, TITLE, "Its owners require that of owners and editors, and you signed in with a code.", {
        link: { href, text: "Sign in with a passkey" },
      })
    : new PageError(
        403,
        TITLE,
        "Its owners require that of owners and editors. Your account has no passkey yet: add one, then sign in with it.",
        { link: { href: AUTH_PATHS.passkeys, text: "Add a passkey" } },
      );
}

const TITLE = "This sale requires a passkey";
