import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import type { AccountChange } from "./account-page.ts";

/** Returns the address of the account page with a message about the change. */
export function accountUrl(done: AccountChange): string {
  return `${AUTH_PATHS.account}?${new URLSearchParams({ done })}`;
}
