import { html } from "hono/html";
import type { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { toServiceError } from "../../../services/shared/rpc/errors.ts";
import { atEntities } from "../../web/auth/at-entities.ts";
import { DASHBOARD_PATH, GUIDE_PATH } from "../../web/auth/auth-paths.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import type { DashboardDependencies } from "../dashboard-dependencies.ts";
import { dashboardPage, doneLine } from "../dashboard-page.ts";
import { NEW_SALE_PATH, REVIEWS_PATH, salePaths } from "../dashboard-paths.ts";
import { type Founder, founderOf } from "../founder.ts";
import { roleText } from "../role-text.ts";
import { saleTags } from "../sale-tags.ts";

/** Sales of a page, each of which costs a call. */
const PAGE_SIZE = 20;

/** Messages of the list about the change that was just made. */
const DONE_TEXTS: Readonly<Record<string, string>> = {
  deleted: "The draft is deleted. The owners are notified by e-mail.",
};

interface OwnSale {
  readonly sale: Sale;
  readonly role: Role;
}

/** `GET /dashboard`: the sales that somebody is a member of. */
export async function showSales(c: AuthContext, dependencies: DashboardDependencies) {
  const founder = await founderOf(c, dependencies, DASHBOARD_PATH);
  const pageToken = c.req.query("after") ?? "";
  const { sales, nextPageToken } = await salesOf(founder, dependencies, pageToken);
  const isEmpty = sales.length === 0 && pageToken === "";
  const reviews = await reviewsLine(founder, dependencies);
  return showPage(
    c,
    dashboardPage({
      title: "My sales",
      content: html`${doneLine(DONE_TEXTS[c.req.query("done") ?? ""])}${reviews}${isEmpty ? emptyState() : salesList(sales, nextPageToken)}`,
    }),
  );
}

/** Returns the way to the reviews, for reviewers. The list is shown as well while the entities service is away. */
async function reviewsLine(founder: Founder, dependencies: DashboardDependencies): Promise<Html> {
  const { participation, logger } = dependencies;
  if (participation === undefined) return html``;
  const options = await atEntities(founder, dependencies, DASHBOARD_PATH);
  const { isReviewer } = await participation.entities.getSetupPolicy({}, options).catch((error: unknown) => {
    logger.warn({ err: error }, "reviewer not known");
    return { isReviewer: false };
  });
  return html`${isReviewer && html`<p class="kept notice">You review identities here. <a href="${REVIEWS_PATH}">Who waits for a review</a></p>`}`;
}

async function salesOf(
  { atAuth, atCommitments }: Founder,
  { clients, dashboard }: DashboardDependencies,
  pageToken: string,
) {
  const page = await clients.memberships.listMemberships({ pageSize: PAGE_SIZE, pageToken }, atAuth);
  const found = await Promise.all(
    page.memberships.map(async ({ saleUuid, role }): Promise<OwnSale | undefined> => {
      const { sale } = await dashboard.sales.getSale({ saleUuid }, atCommitments).catch((error: unknown) => {
        // Registered, but its creation failed.
        if (toServiceError(error)?.code === "not_found") return { sale: undefined };
        throw error;
      });
      return sale && { sale, role };
    }),
  );
  return { sales: found.filter((one) => one !== undefined), nextPageToken: page.nextPageToken };
}

function salesList(sales: readonly OwnSale[], nextPageToken: string): Html {
  const next = `${DASHBOARD_PATH}?${new URLSearchParams({ after: nextPageToken })}`;
  return html`<div class="page-head"><h1>My sales</h1><a class="button primary fit" href="${NEW_SALE_PATH}">New sale</a></div>
<ul class="sales">${sales.map(
    ({ sale, role }) => html`<li><a href="${salePaths(sale.uuid).sale}"><bdi>${sale.definition?.name}</bdi></a>
<p class="tags">${saleTags(sale)} <span class="tag">${roleText(role).name}</span></p></li>`,
  )}</ul>
${nextPageToken !== "" && html`<p class="panel-foot"><a class="button secondary small" href="${next}">More sales</a></p>`}`;
}

function emptyState(): Html {
  return html`<h1>My sales</h1>
<section class="panel empty" aria-labelledby="first"><h2 id="first">Set up your first sale</h2>
<p>You say what is sold, at what price, and where commitments come from. A test sale costs nothing, can use addresses of your own
computer, and can be copied as a live one when it works.</p>
<p><a class="button primary fit" href="${NEW_SALE_PATH}">New sale</a></p>
<p><a href="${GUIDE_PATH}">Read the guide</a></p>
<p class="quiet">Were you invited to a sale? It appears here once you sign in with the invited address.</p></section>`;
}
