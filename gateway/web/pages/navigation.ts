import { html } from "hono/html";
import { AUTH_PATHS, DASHBOARD_PATH, GUIDE_PATH } from "../sessions/auth-paths.ts";
import { EN, type Texts } from "../texts/en.ts";
import type { Html } from "./layout.ts";

/** Returns the links between the dashboard and the account, at the top of both. */
export function navigation({ frame }: Texts = EN): Html {
  return html`<header class="top"><nav aria-label="Tidemark"><a class="brand" href="${DASHBOARD_PATH}">Tidemark</a>
<a href="${DASHBOARD_PATH}">${frame.mySales}</a><a href="${GUIDE_PATH}">${frame.guide}</a><a href="${AUTH_PATHS.account}">${frame.account}</a></nav></header>`;
}
