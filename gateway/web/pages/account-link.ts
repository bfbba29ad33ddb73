import { AUTH_PATHS } from "../sessions/auth-paths.ts";
import type { PageLink } from "./page-error.ts";

/** The way from an error's page to the account. */
export const ACCOUNT_LINK: PageLink = { href: AUTH_PATHS.account, text: ({ account }) => account.title };
