/** How often something may happen in a window of time. */
export interface RateLimit {
  readonly count: number;
  readonly windowMs: bigint;
}

const MINUTE_MS = 60_000n;

/**
 * Limits against abuse. Those by address leave room for many people behind one, such as the users of a mobile network;
 * codes themselves are limited per sign-in, and mails per address of e-mail (`send-limit.ts`).
 */
export const RATE_LIMITS = {
  authorize_address: { count: 1_000, windowMs: 10n * MINUTE_MS },
  authorize_account: { count: 200, windowMs: 10n * MINUTE_MS },
  sign_in_address: { count: 100, windowMs: 10n * MINUTE_MS },
  code_address: { count: 300, windowMs: 10n * MINUTE_MS },
  /** Applications may exchange codes for all of their users from one address. */
  token_address: { count: 30_000, windowMs: 10n * MINUTE_MS },
  token_account: { count: 300, windowMs: 10n * MINUTE_MS },
  /** Changes of an account that send mails. */
  change_account: { count: 20, windowMs: 60n * MINUTE_MS },
} as const satisfies Readonly<Record<string, RateLimit>>;

export type RateLimitName = keyof typeof RATE_LIMITS;

/** No window is longer: counts that are older are of no use. */
export const LONGEST_WINDOW_MS = 60n * MINUTE_MS;

/** How much of a limit a process takes at once, and then spends without asking the database: a tenth. */
export function blockOf({ count }: RateLimit): number {
  return Math.max(1, Math.floor(count / 10));
}

/** Windows begin at the same moments in all processes. */
export function windowStart({ windowMs }: RateLimit, nowMs: bigint): bigint {
  return nowMs - (nowMs % windowMs);
}

/** Whole seconds until a moment, at least one. */
export function secondsUntil(atMs: bigint, nowMs: bigint): number {
  return Math.max(1, Math.ceil(Number(atMs - nowMs) / 1_000));
}
