import { html } from "hono/html";
import type { SaleEvent, SettingChange } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { scopeName } from "../application/application-fields.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { dashboardPage } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { englishText } from "../base/form-errors.ts";
import { founderSaleOf, permitted } from "../base/founder.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";
import { eventText, pageOfEvent, personText } from "./sale-event-text.ts";

const PAGE_SIZE = 50;

/** `GET /dashboard/sales/{uuid}/log` */
export async function showLog(c: AuthContext, dependencies: DashboardDependencies) {
  const { sale, founder } = await founderSaleOf(c, dependencies);
  const { uuid: saleUuid } = sale;
  const request = { saleUuid, pageSize: PAGE_SIZE, pageToken: c.req.query("before") ?? "" };
  const page = await permitted(() => dependencies.clients.memberships.listSaleEvents(request, founder.atAuth));
  const { events, nextPageToken } = page;
  const older = `${salePaths(saleUuid).log}?${new URLSearchParams({ before: nextPageToken })}`;
  const words = texts().log;
  return showPage(
    c,
    dashboardPage({
      title: words.title,
      crumbs: saleCrumbs(sale),
      content: html`<div class="page-head"><h1>${words.title}</h1></div>
<section class="panel" aria-label="${words.events}">
${events.length === 0 ? html`<p class="quiet">${words.none}</p>` : html`<ol class="list">${events.map((event) => eventItem(event, saleUuid))}</ol>`}
${nextPageToken !== "" && html`<div class="panel-foot"><a class="button secondary small" href="${older}">${words.older}</a></div>`}
</section>`,
    }),
  );
}

function eventItem(event: SaleEvent, saleUuid: string): Html {
  const page = pageOfEvent(event, saleUuid);
  const text = eventText(event);
  return html`<li><div class="grow"><p>${page === undefined ? text : html`<a href="${page}">${text}</a>`}</p>${changeList(event.changes)}
<p class="quiet">${fillHtml(texts().log.by, { time: utcTime(event.at), person: personText(event.by) })}</p></div></li>`;
}

function changeList(changes: readonly SettingChange[]): Html {
  if (changes.length === 0) return html``;
  return html`<ul class="changes">${changes.map((change) => html`<li>${changeText(change)}</li>`)}</ul>`;
}

function changeText({ field, before, after }: SettingChange): Html {
  const { added, removed, changed } = texts().log;
  // The log has the names of settings, and their values in words, in English.
  const scope = scopeName(field);
  const label = scope === field ? englishText(field) : scope;
  const old = html`<del>${valueText(before)}</del>`;
  if (before === "") return fillHtml(added, { label, after: valueText(after) });
  if (after === "") return fillHtml(removed, { label, before: old });
  return fillHtml(changed, { label, before: old, after: valueText(after) });
}

/** A value may be what somebody has entered, in any language. */
function valueText(text: string): Html {
  return html`<bdi lang="">${text}</bdi>`;
}
