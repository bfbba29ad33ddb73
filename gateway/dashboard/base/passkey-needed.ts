import { PageError } from "../../web/pages/page-error.ts";
import { isRefusedByRule } from "../../web/sessions/auth-failure.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import { signInUrl } from "../../web/sessions/session.ts";
import type { PageText } from "../../web/texts/texts.ts";

/** Words for somebody who must sign in with a passkey. */
export interface PasskeyDemand {
  readonly title: PageText;
  /** To those who have a passkey. */
  readonly byCode: PageText;
  /** To those who have none. */
  readonly none: PageText;
}

/** The demand on the owners and editors of a sale. */
export const SALE_DEMAND: PasskeyDemand = {
  title: ({ dashboard }) => dashboard.base.passkeyTitle,
  byCode: ({ dashboard }) => dashboard.base.passkeyByCode,
  none: ({ dashboard }) => dashboard.base.passkeyNone,
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
    ? new PageError(403, title, byCode, { link: { href, text: ({ dashboard }) => dashboard.base.signInWithPasskey } })
    : new PageError(403, title, none, {
        link: { href: AUTH_PATHS.passkeys, text: ({ dashboard }) => dashboard.base.addPasskey },
      });
}
