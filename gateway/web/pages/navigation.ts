import { html } from "hono/html";
import { AUTH_PATHS, DASHBOARD_PATH, GUIDE_PATH } from "../auth/auth-paths.ts";
import type { Html } from "./layout.ts";

/** Returns the links between the dashboard and the account, at the top of both. */
export function navigation(): Html {
  return html`<header class="top"><nav aria-label="Tidemark"><a class="brand" href="${DASHBOARD_PATH}">Tidemark</a>
<a href="${DASHBOARD_PATH}">My sales</a><a href="${GUIDE_PATH}">Guide</a><a href="${AUTH_PATHS.account}">Account</a></nav></header>`;
}
