import { html } from "hono/html";
import type { Client } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import { squareLogo } from "../../web/pages/requesting-application.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { dashboardPage } from "../base/dashboard-page.ts";
import { applicationPaths, salePaths } from "../base/dashboard-paths.ts";
import { type FounderSale, founderSaleOf } from "../base/founder.ts";
import { obstaclesText } from "../base/obstacles-text.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";
import { clientsOf } from "./known-sale.ts";
import type { Known } from "./sale-facts.ts";

/** `GET /dashboard/sales/{uuid}/applications` */
export async function showApplications(c: AuthContext, dependencies: DashboardDependencies) {
  const found = await founderSaleOf(c, dependencies);
  return showPage(c, applicationsPage(found, await clientsOf(found, dependencies)));
}

function applicationsPage(found: FounderSale, clients: Known<readonly Client[]>) {
  const { sale, role } = found;
  const { lead, add } = texts().applications;
  const { applications: title } = texts().menu;
  const mayAdd = role >= Role.EDITOR && sale.status !== SaleStatus.WITHDRAWN;
  return dashboardPage({
    title,
    crumbs: saleCrumbs(sale),
    content: html`<div class="page-head"><div><h1>${title}</h1>
<p class="quiet">${lead}</p></div>
${mayAdd && html`<a class="button primary fit" href="${salePaths(sale.uuid).newApplication}">${add}</a>`}</div>
<section class="panel" aria-label="${title}">${applicationsList(sale.uuid, clients)}</section>`,
  });
}

/** Returns the applications of a sale, each with whether it can sign users in. */
export function applicationsList(saleUuid: string, clients: Known<readonly Client[]>): Html {
  const { unknown, none, ready, lacks } = texts().applications;
  if (clients === undefined) return html`<p class="quiet">${unknown}</p>`;
  if (clients.length === 0) return html`<p>${none}</p>`;
  const items = clients.map(({ uuid, definition, squareLogo: logo, obstacles }) => {
    const { application } = applicationPaths(saleUuid, uuid);
    return html`<li>${squareLogo(logo)}<div class="grow"><p><a href="${application}"><bdi>${definition?.name}</bdi></a></p>
<p class="quiet">${obstacles.length === 0 ? ready : fillHtml(lacks, { reasons: obstaclesText(obstacles) })}</p></div></li>`;
  });
  return html`<ul class="list">${items}</ul>`;
}
