import { html } from "hono/html";
import type { Membership } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import { atEntities } from "../../web/sessions/at-entities.ts";
import { DASHBOARD_PATH, GUIDE_PATH } from "../../web/sessions/auth-paths.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { dashboardPage, doneLine } from "../base/dashboard-page.ts";
import { NEW_SALE_PATH, REVIEWS_PATH } from "../base/dashboard-paths.ts";
import { type Founder, founderOf } from "../base/founder.ts";
import { pageTexts, texts } from "../base/texts.ts";
import { applicationsOf, figureFacts, overviewsOf, permitsOf, signInsOf } from "./gather-facts.ts";
import { passkeySaleCard, saleCard, unknownSaleCard } from "./sale-card.ts";
import type { SaleFacts } from "./sale-facts.ts";

/** Sales of a page. However many they are, each service is asked once. */
const PAGE_SIZE = 20;

/** `GET /dashboard`: the sales that somebody is a member of. */
export async function showSales(c: AuthContext, dependencies: DashboardDependencies) {
  const founder = await founderOf(c, dependencies, DASHBOARD_PATH);
  const pageToken = c.req.query("after") ?? "";
  const request = { pageSize: PAGE_SIZE, pageToken };
  const [page, reviews] = await Promise.all([
    dependencies.clients.memberships.listMemberships(request, founder.atAuth),
    reviewsLine(founder, dependencies),
  ]);
  const { memberships, nextPageToken } = page;
  const cards = await cardsOf(memberships, founder, dependencies);
  const isEmpty = cards.length === 0 && pageToken === "" && nextPageToken === "";
  return showPage(
    c,
    dashboardPage({
      title: pageTexts().frame.mySales,
      content: html`${doneLine(c.req.query("done") === "deleted" ? texts().sales.deleted : undefined)}${reviews}${isEmpty ? emptyState() : salesList(cards, nextPageToken)}`,
    }),
  );
}

/** Returns the way to the reviews, for reviewers. The list is shown as well while the entities service is away. */
async function reviewsLine(founder: Founder, dependencies: DashboardDependencies): Promise<Html> {
  const { entitiesUpstream, logger } = dependencies;
  if (entitiesUpstream === undefined) return html``;
  const options = await atEntities(founder, dependencies, DASHBOARD_PATH);
  const { isReviewer } = await entitiesUpstream.entities.getSetupPolicy({}, options).catch((error: unknown) => {
    logger.warn({ err: error }, "reviewer not known");
    return { isReviewer: false };
  });
  const { reviews, reviewsLink } = texts().sales;
  const link = html`<a href="${REVIEWS_PATH}">${reviewsLink}</a>`;
  return html`${isReviewer && html`<p class="kept notice">${fillHtml(reviews, { link })}</p>`}`;
}

/** Asks each service once about all sales, and all services at the same time. */
async function cardsOf(
  memberships: readonly Membership[],
  founder: Founder,
  dependencies: DashboardDependencies,
): Promise<readonly Html[]> {
  const saleUuids = memberships.filter(({ passkeyMissing }) => !passkeyMissing).map(({ saleUuid }) => saleUuid);
  const asked = { founder, dependencies, saleUuids, next: DASHBOARD_PATH };
  const [overviews, applications, signIns, permits] = await Promise.all([
    overviewsOf(asked),
    applicationsOf(asked),
    signInsOf(asked),
    permitsOf(asked),
  ]);
  return memberships.flatMap((membership) => {
    const { saleUuid, role, passkeyMissing } = membership;
    if (passkeyMissing) return [passkeySaleCard(membership)];
    if (overviews === undefined) return [unknownSaleCard(membership)];
    const overview = overviews.get(saleUuid);
    // Registered, but its creation failed.
    if (overview?.sale === undefined) return [];
    const facts: SaleFacts = {
      sale: overview.sale,
      figures: figureFacts(overview),
      applications: applications?.get(saleUuid),
      signIns: signIns?.get(saleUuid),
      permits: permits?.get(saleUuid),
      hasTakingPart: dependencies.entitiesUpstream !== undefined,
    };
    return [saleCard(facts, role, Date.now())];
  });
}

function salesList(cards: readonly Html[], nextPageToken: string): Html {
  const next = `${DASHBOARD_PATH}?${new URLSearchParams({ after: nextPageToken })}`;
  return html`<div class="page-head"><h1>${pageTexts().frame.mySales}</h1><a class="button primary fit" href="${NEW_SALE_PATH}">${texts().newSale.title}</a></div>
<ul class="sales">${cards}</ul>
${nextPageToken !== "" && html`<p class="panel-foot"><a class="button secondary small" href="${next}">${texts().sales.more}</a></p>`}`;
}

function emptyState(): Html {
  const { firstTitle, firstText, readGuide, invited } = texts().sales;
  return html`<h1>${pageTexts().frame.mySales}</h1>
<section class="panel empty" aria-labelledby="first"><h2 id="first">${firstTitle}</h2>
<p>${firstText}</p>
<p><a class="button primary fit" href="${NEW_SALE_PATH}">${texts().newSale.title}</a></p>
<p><a href="${GUIDE_PATH}">${readGuide}</a></p>
<p class="quiet">${invited}</p></section>`;
}
