import { html } from "hono/html";
import type { Client } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import { squareLogo } from "../../web/pages/requesting-application.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { dashboardPage } from "../base/dashboard-page.ts";
import { applicationPaths, salePaths } from "../base/dashboard-paths.ts";
import { sentence } from "../base/form-errors.ts";
import { type FounderSale, founderSaleOf } from "../base/founder.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import { clientsOf } from "./known-sale.ts";
import type { Known } from "./sale-facts.ts";

/** `GET /dashboard/sales/{uuid}/applications` */
export async function showApplications(c: AuthContext, dependencies: DashboardDependencies) {
  const found = await founderSaleOf(c, dependencies);
  return showPage(c, applicationsPage(found, await clientsOf(found, dependencies)));
}

function applicationsPage(found: FounderSale, clients: Known<readonly Client[]>) {
  const { sale, role } = found;
  const title = "Applications";
  const mayAdd = role >= Role.EDITOR && sale.status !== SaleStatus.WITHDRAWN;
  return dashboardPage({
    title,
    crumbs: saleCrumbs(sale),
    content: html`<div class="page-head"><div><h1>${title}</h1>
<p class="quiet">An application is what your users sign in to: your portal, or the site of the sale.</p></div>
${mayAdd && html`<a class="button primary fit" href="${salePaths(sale.uuid).newApplication}">Add an application</a>`}</div>
<section class="panel" aria-label="Applications">${applicationsList(sale.uuid, clients)}</section>`,
  });
}

/** Returns the applications of a sale, each with whether it can sign users in. */
export function applicationsList(saleUuid: string, clients: Known<readonly Client[]>): Html {
  if (clients === undefined)
    return html`<p class="quiet">They aren’t known now. Please reload the page in a moment.</p>`;
  if (clients.length === 0) return html`<p>There is none yet.</p>`;
  const items = clients.map(({ uuid, definition, squareLogo: logo, obstacles }) => {
    const { application } = applicationPaths(saleUuid, uuid);
    return html`<li>${squareLogo(logo)}<div class="grow"><p><a href="${application}"><bdi>${definition?.name}</bdi></a></p>
<p class="quiet">${obstacles.length === 0 ? "Ready to sign users in" : sentence(`it ${obstacles.join(", ")}`)}</p></div></li>`;
  });
  return html`<ul class="list">${items}</ul>`;
}
