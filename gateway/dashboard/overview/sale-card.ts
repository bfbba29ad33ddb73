import { html } from "hono/html";
import { fillCounted } from "../../../common/platform/language/message.ts";
import type { Membership, Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { roleText } from "../base/role-text.ts";
import { texts } from "../base/texts.ts";
import { feedLine } from "./feed-line.ts";
import { nextSteps } from "./next-steps.ts";
import type { SaleFacts } from "./sale-facts.ts";
import { saleTags } from "./sale-tags.ts";
import { figureStats, useStats } from "./stats.ts";
import { stepLink } from "./steps-list.ts";

/** Returns a sale as the list shows it. @param nowMs milliseconds since 1970 */
export function saleCard(facts: SaleFacts, role: Role, nowMs: number): Html {
  const { sale } = facts;
  const isWithdrawn = sale.status === SaleStatus.WITHDRAWN;
  return html`<li><div class="sale-head"><a class="sale-name" href="${salePaths(sale.uuid).sale}"><bdi>${sale.definition?.name}</bdi></a>
<p class="tags">${saleTags(sale)} <span class="tag">${roleText(role).name}</span></p></div>
${!isWithdrawn && html`${figureStats(facts)}${useStats(facts)}${feedLine(sale)}${nextLine(facts, role, nowMs)}`}</li>`;
}

/** Returns a sale of which nothing can be read now. */
export function unknownSaleCard({ saleUuid, role }: Membership): Html {
  return html`<li><div class="sale-head"><a class="sale-name" href="${salePaths(saleUuid).sale}">${saleUuid}</a>
<p class="tags"><span class="tag">${roleText(role).name}</span></p></div>
<p class="quiet">${texts().saleCard.unknown}</p></li>`;
}

/** Returns a sale that requires a passkey which its owner or editor didn't sign in with: a code lets nobody read the name either. */
export function passkeySaleCard({ saleUuid, role }: Membership): Html {
  const { withPasskey, saleId } = texts().saleCard;
  return html`<li><div class="sale-head"><a class="sale-name" href="${salePaths(saleUuid).sale}">${withPasskey}</a>
<p class="tags"><span class="tag">${roleText(role).name}</span></p></div>
<p class="quiet">${texts().base.passkeyByCode} ${fillHtml(saleId, { id: html`<code>${saleUuid}</code>` })}</p></li>`;
}

function nextLine(facts: SaleFacts, role: Role, nowMs: number): Html {
  const [first, ...others] = nextSteps(facts, nowMs);
  if (first === undefined) return html``;
  const { next, moreSteps } = texts().saleCard;
  const more = others.length > 0 && `, ${fillCounted(moreSteps, others.length, pageLanguage(), {})}`;
  return html`<p class="next-line">${fillHtml(next, { step: stepLink(first, role) })}<span class="quiet">${more}</span></p>`;
}
