import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { RateLimit } from "../../../common/platform/rate-limits/rate-limit.ts";

const MINUTE_MS = 60_000n;

/**
 * Limits against abuse. Those by network address leave room for many people behind one address, such as the users of a
 * mobile network. Two more limits are elsewhere: the tries of a code per sign-in (`MAILED_CODE_TRIES`), and the mails per e-mail
 * address (`send-limit.ts`).
 */
export const RATE_LIMITS = {
  authorize_address: { count: 1_000, windowMs: 10n * MINUTE_MS },
  /**
   * Authorizations at one application that are stored while their users are on a page: twice as many as people can sign in by codes
   * from an address. There is no limit of an application alone, as strangers could use it up for all of its users.
   */
  authorize_page_address: { count: 200, windowMs: 10n * MINUTE_MS },
  authorize_account: { count: 200, windowMs: 10n * MINUTE_MS },
  /** Applications may push the requests of all of their users from one address. */
  push_address: { count: 10_000, windowMs: 10n * MINUTE_MS },
  /** Requests that an address pushes for an application that doesn't authenticate, in the time for which they are kept. */
  push_unauthenticated_address: { count: 100, windowMs: MINUTE_MS },
  sign_in_address: { count: 100, windowMs: 10n * MINUTE_MS },
  /** Questions to passkeys, and their answers. A page of sign-in asks again every few minutes. */
  passkey_address: { count: 2_000, windowMs: 10n * MINUTE_MS },
  /** Rows of the audit table about answers of passkeys that were refused. */
  passkey_refusal_address: { count: 100, windowMs: 10n * MINUTE_MS },
  passkey_account: { count: 100, windowMs: 60n * MINUTE_MS },
  /** Mails about a passkey of which there may be a copy. */
  copy_warning_account: { count: 2, windowMs: 60n * MINUTE_MS },
  code_address: { count: 300, windowMs: 10n * MINUTE_MS },
  /** Applications may exchange codes for all of their users from one address. */
  token_address: { count: 30_000, windowMs: 10n * MINUTE_MS },
  /** Exchanges and refreshes of one account at one application. */
  token_account: { count: 300, windowMs: 10n * MINUTE_MS },
  /** Servers of applications may introspect a token for each call that they get, and come from few addresses. */
  introspection_address: { count: 60_000, windowMs: 10n * MINUTE_MS },
  introspection_client: { count: 60_000, windowMs: 10n * MINUTE_MS },
  /** Calls with an access token that is bound to a key, of one account at one application. Each stores the ID of its proof. */
  proof_account: { count: 6_000, windowMs: 10n * MINUTE_MS },
  /** Rows of the audit table about attempts that were refused, of one person, and of the same attempt. */
  refusal_account: { count: 30, windowMs: 60n * MINUTE_MS },
  same_refusal_account: { count: 1, windowMs: 10n * MINUTE_MS },
  /**
   * Changes of an account that send mails. Removing a passkey isn't one: each was added within this limit, and a thief who has one
   * must not use the hour's changes up before its owner removes it.
   */
  change_account: { count: 20, windowMs: 60n * MINUTE_MS },
  /** Endings of other sessions by somebody with a code alone, where the account has a passkey. */
  end_sessions_account: { count: 5, windowMs: 60n * MINUTE_MS },
  /** Recoveries are begun with a code alone: whoever reads the mails must not use up what the owner's changes have. */
  recovery_account: { count: 20, windowMs: 60n * MINUTE_MS },
  /** Invitations by one person, each of which is a mail to somebody who may not know us. */
  invite_account: { count: 60, windowMs: 60n * MINUTE_MS },
} as const satisfies Readonly<Record<string, RateLimit>>;

export type RateLimitName = keyof typeof RATE_LIMITS;

/** The longest of the windows. Counts that are older have no effect. */
export const LONGEST_WINDOW_MS = 60n * MINUTE_MS;

export interface RateLimiter {
  /** Counts one occurrence, as `RateLimits.take` does. */
  take(limit: RateLimitName, key: string, clientUuid?: string): Promise<void>;
}

/**
 * Counts one occurrence of something that is left out beyond its limit.
 *
 * @param key as for `RateLimits.take`
 * @returns whether it is within the limit
 * @throws ServiceError `unavailable`
 */
export async function isWithinLimit(
  { rateLimits }: { readonly rateLimits: RateLimiter },
  limit: RateLimitName,
  key: string,
): Promise<boolean> {
  try {
    await rateLimits.take(limit, key);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "resource_exhausted") return false;
    throw error;
  }
}
