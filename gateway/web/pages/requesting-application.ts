import { html } from "hono/html";
import type { Message } from "../../../common/platform/language/message.ts";
import type { RequestingClient } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { LOGOS_PREFIX } from "../http/logos-path.ts";
import type { Texts } from "../texts/en.ts";
import { fillHtml } from "./fill-html.ts";
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
export function testNotice(client: RequestingClient | undefined, { authorization }: Texts): Html | undefined {
  if (!client?.testTenancy) return undefined;
  return html`<p class="notice"><strong>${authorization.testTitle}</strong> ${authorization.testText}</p>`;
}

/** Returns the names of an application and its sale. @param message text with the application's name */
export function clientLine(
  message: Message<"application">,
  { name, saleName, squareLogo: logo }: RequestingClient,
): Html {
  const application = html`<strong><bdi>${name}</bdi></strong>`;
  return html`<div class="client">${squareLogo(logo)}<p>${fillHtml(message, { application })}<br>
<span class="quiet"><bdi>${saleName}</bdi></span></p></div>`;
}
