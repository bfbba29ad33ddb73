import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";

/** Changes that the account page confirms, as its address names them. */
export const ACCOUNT_CHANGES = [
  "session-ended",
  "others-ended",
  "withdrawn",
  "email-changed",
  "passkey-added",
  "recovered",
  "passkey-required",
  "passkey-not-required",
  "alerts-saved",
] as const;
export type AccountChange = (typeof ACCOUNT_CHANGES)[number];

/** Returns the address of the account page with a message about the change. */
export function accountUrl(done: AccountChange): string {
  return `${AUTH_PATHS.account}?${new URLSearchParams({ done })}`;
}
