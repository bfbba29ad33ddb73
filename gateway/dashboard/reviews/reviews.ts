import { html } from "hono/html";
import { countryName } from "../../../common/platform/names/country-name.ts";
import type { Review } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { entityTypeText } from "../../web/pages/entity-type-text.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { DASHBOARD_PATH } from "../../web/sessions/auth-paths.ts";
import { dashboardPage, doneLine } from "../base/dashboard-page.ts";
import { REVIEWS_PATH, reviewPath } from "../base/dashboard-paths.ts";
import type { TakingPartDependencies } from "../base/taking-part-dependencies.ts";
import { reviewerOf } from "./reviewer.ts";

const PAGE_SIZE = 50;

/** Messages about the decision that was just made. */
const DONE_TEXTS: Readonly<Record<string, string>> = {
  approved: "The entity is approved. Its user is notified by e-mail.",
  asked: "The user is asked by e-mail. The entity waits here again once it is answered.",
  refused: "The entity is refused. Its user is notified by e-mail, with your reason.",
};

/** `GET /dashboard/reviews`: the entities that wait for a reviewer. */
export async function showReviews(c: AuthContext, dependencies: TakingPartDependencies) {
  const { atEntities } = await reviewerOf(c, dependencies);
  const request = { pageSize: PAGE_SIZE, pageToken: c.req.query("after") ?? "" };
  const { reviews, nextPageToken } = await dependencies.entitiesUpstream.entities.listReviews(request, atEntities);
  const next = `${REVIEWS_PATH}?${new URLSearchParams({ after: nextPageToken })}`;
  return showPage(
    c,
    dashboardPage({
      title: "Reviews",
      crumbs: [{ href: DASHBOARD_PATH, text: "My sales" }],
      content: html`${doneLine(DONE_TEXTS[c.req.query("done") ?? ""])}<div class="page-head"><h1>Reviews</h1></div>
<section class="panel" aria-label="Entities that wait, the longest waiting first">
${reviews.length === 0 ? html`<p class="quiet">Nobody waits for a review.</p>` : html`<ol class="list">${reviews.map(reviewItem)}</ol>`}
${nextPageToken !== "" && html`<div class="panel-foot"><a class="button secondary small" href="${next}">Next page</a></div>`}</section>`,
    }),
  );
}

function reviewItem({ entity, email, submittedAt }: Review): Html {
  if (entity === undefined) throw new TypeError("ListReviewsResponse is incomplete");
  return html`<li><div class="grow"><p><a href="${reviewPath(entity.uuid)}"><bdi>${entity.label}</bdi></a> <span class="tag">${entityTypeText(entity.type)}</span></p>
<p class="quiet"><bdi>${email}</bdi>, ${countryName(entity.country)}, since ${utcTime(submittedAt)}</p></div></li>`;
}
