import type { AccountChange } from "../account/account-page.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";

/** Returns the address of the account page with a message about the change. */
export function accountUrl(done: AccountChange): string {
  return `${AUTH_PATHS.account}?${new URLSearchParams({ done })}`;
}
