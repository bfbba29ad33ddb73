import { html } from "hono/html";
import type { RequestingClient } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { LOGOS_PREFIX } from "../http/logos-path.ts";
import type { Html } from "./layout.ts";
import type { FormTargets } from "./page-headers.ts";

const LOGO_HASH = /^[0-9a-f]{64}$/;

/** Returns the targets of the forms on the pages of an authorization. */
export function formTargetsOf(client: RequestingClient | undefined): FormTargets {
  return client?.loopbackRedirect ? "loopback" : "https";
}

/** Returns the wide logo, or the square one on narrow screens. Its box has its size before the image loads. */
export function wideLogo({ wideLogo: wide, squareLogo: square }: RequestingClient): Html {
  if (!LOGO_HASH.test(wide) || !LOGO_HASH.test(square)) return html``;
  return html`<picture class="logo-wide"><source media="(min-width: 30rem)" srcset="${LOGOS_PREFIX}${wide}">
<img src="${LOGOS_PREFIX}${square}" alt="" referrerpolicy="no-referrer"></picture>`;
}

export function squareLogo(hash: string): Html {
  if (!LOGO_HASH.test(hash)) return html`<span class="logo-square"></span>`;
  return html`<span class="logo-square"><img src="${LOGOS_PREFIX}${hash}" alt="" loading="lazy"></span>`;
}

/** Returns the notice above the pages of an authorization for a test sale. */
export function testNotice(client: RequestingClient | undefined): Html | undefined {
  if (!client?.testTenancy) return undefined;
  return html`<p class="notice"><strong>Test sale.</strong> This application belongs to a sale that is only a test.</p>`;
}

/** Returns the names of an application and its sale. @param intro text before the application's name */
export function clientLine(intro: string, { name, saleName, squareLogo: logo }: RequestingClient): Html {
  return html`<div class="client">${squareLogo(logo)}<p>${intro} <strong><bdi>${name}</bdi></strong><br>
<span class="quiet"><bdi>${saleName}</bdi></span></p></div>`;
}
