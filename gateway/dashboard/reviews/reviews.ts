import { html } from "hono/html";
import { countryName } from "../../../common/platform/names/country-name.ts";
import type { Review } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { entityTypeText } from "../../web/pages/entity-type-text.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { dashboardPage, doneLine } from "../base/dashboard-page.ts";
import { REVIEWS_PATH, reviewPath } from "../base/dashboard-paths.ts";
import { salesCrumb } from "../base/sale-crumbs.ts";
import type { TakingPartDependencies } from "../base/taking-part-dependencies.ts";
import { pageTexts, texts } from "../base/texts.ts";
import { reviewerOf } from "./reviewer.ts";

const PAGE_SIZE = 50;

/** Returns the message about the decision that was just made. */
function doneText(done: string): string | undefined {
  const { approved, asked, refused } = texts().reviews;
  return new Map(Object.entries({ approved, asked, refused })).get(done);
}

/** `GET /dashboard/reviews`: the entities that wait for a reviewer. */
export async function showReviews(c: AuthContext, dependencies: TakingPartDependencies) {
  const { atEntities } = await reviewerOf(c, dependencies);
  const request = { pageSize: PAGE_SIZE, pageToken: c.req.query("after") ?? "" };
  const { reviews, nextPageToken } = await dependencies.entitiesUpstream.entities.listReviews(request, atEntities);
  const next = `${REVIEWS_PATH}?${new URLSearchParams({ after: nextPageToken })}`;
  const words = texts().reviews;
  return showPage(
    c,
    dashboardPage({
      title: words.title,
      crumbs: [salesCrumb()],
      content: html`${doneLine(doneText(c.req.query("done") ?? ""))}<div class="page-head"><h1>${words.title}</h1></div>
<section class="panel" aria-label="${words.waiting}">
${reviews.length === 0 ? html`<p class="quiet">${words.none}</p>` : html`<ol class="list">${reviews.map(reviewItem)}</ol>`}
${nextPageToken !== "" && html`<div class="panel-foot"><a class="button secondary small" href="${next}">${words.nextPage}</a></div>`}</section>`,
    }),
  );
}

function reviewItem({ entity, email, submittedAt }: Review): Html {
  if (entity === undefined) throw new TypeError("ListReviewsResponse is incomplete");
  return html`<li><div class="grow"><p><a href="${reviewPath(entity.uuid)}"><bdi>${entity.label}</bdi></a> <span class="tag">${entityTypeText(entity.type, pageTexts())}</span></p>
<p class="quiet">${fillHtml(texts().reviews.item, {
    email: html`<bdi>${email}</bdi>`,
    country: countryName(entity.country, pageLanguage()),
    time: utcTime(submittedAt),
  })}</p></div></li>`;
}
