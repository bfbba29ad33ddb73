import { AUTH_PATHS } from "./auth-paths.ts";

/** Outcomes for the access of applications, as the address of the page for somebody who has signed out names them. */
export const TOKENS_OUTCOMES = ["ended", "kept"] as const;
export type TokensOutcome = (typeof TOKENS_OUTCOMES)[number];

/** A sign-out by which the access of applications was to end too, or not. */
export interface SignOut {
  readonly endTokens: boolean;
  /** Whether it ended, which it can't where the session had ended before. */
  readonly tokensEnded: boolean;
}

/** Returns the address of the page for somebody who has signed out, with the outcome for applications where it was wanted. */
export function signedOutUrl({ endTokens, tokensEnded }: SignOut): string {
  if (!endTokens) return AUTH_PATHS.signedOut;
  const tokens: TokensOutcome = tokensEnded ? "ended" : "kept";
  return `${AUTH_PATHS.signedOut}?${new URLSearchParams({ tokens })}`;
}
