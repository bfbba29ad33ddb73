import { ServiceError } from "../../errors/service-error.ts";

/** The age up to which a sign-in is recent enough for dangerous changes. */
export const RECENT_SIGN_IN_MS = 10n * 60_000n;

/** @throws ServiceError `failed_precondition` if the person signed in more than ten minutes ago. */
export function checkRecentSignIn({ authenticatedAtMs }: { readonly authenticatedAtMs: bigint }, nowMs: bigint): void {
  if (nowMs - authenticatedAtMs <= RECENT_SIGN_IN_MS) return;
  throw new ServiceError("failed_precondition", "a sign-in of the last ten minutes is needed: sign in again");
}
