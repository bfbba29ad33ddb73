import { html } from "hono/html";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import type { Html } from "../../web/pages/layout.ts";
import { requireRecent } from "../base/founder.ts";
import { texts } from "../base/texts.ts";
import type { TakingPartSale } from "./taking-part-sale.ts";

/** The query with which a page asks for a recent sign-in before anything is entered. */
const CHANGE = "change";

/** Requires a recent sign-in, where a page was asked for with the link of `confirmationPanel`. @throws SignInRequired */
export function requireRecentForChange(c: AuthContext, { founder }: TakingPartSale): void {
  if (c.req.query(CHANGE) === "1") requireRecent(founder, changeLink(c.req.path));
}

/** Returns the address of a page that asks for a recent sign-in first. */
export function changeLink(path: string): string {
  return `${path}?${CHANGE}=1`;
}

/** Whether the user may make changes that only owners may make after a recent sign-in. */
export function mayChangeNow({ role, founder }: TakingPartSale): boolean {
  return role === Role.OWNER && founder.isRecent;
}

/** Returns the section that leads to a sign-in; nothing for those who may make changes now, or may not at all. */
export function confirmationPanel(found: TakingPartSale, path: string): Html {
  if (mayChangeNow(found)) return html``;
  const { ownerOnly, changeTitle, changeText, confirm } = texts().takingPart;
  if (found.role !== Role.OWNER) return html`<p class="quiet">${ownerOnly}</p>`;
  return html`<section class="panel" aria-labelledby="change"><h2 id="change">${changeTitle}</h2>
<p>${changeText}</p>
<div class="panel-foot"><a class="button primary fit" href="${changeLink(path)}">${confirm}</a></div></section>`;
}
