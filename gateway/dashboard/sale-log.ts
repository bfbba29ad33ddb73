import { html } from "hono/html";
import {
  type SaleEvent,
  SaleEventKind,
  type SaleEventPerson,
  type SettingChange,
} from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { type Html, showPage } from "../web/pages/layout.ts";
import { utcTime } from "../web/pages/utc-time.ts";
import { scopeName } from "./application-fields.ts";
import type { DashboardDependencies } from "./dashboard-dependencies.ts";
import { dashboardPage } from "./dashboard-page.ts";
import { salePaths } from "./dashboard-paths.ts";
import { founderSaleOf, permitted } from "./founder.ts";
import { roleText } from "./role-text.ts";
import { saleCrumbs } from "./sale-page.ts";

const PAGE_SIZE = 50;

/** `GET /dashboard/sales/{uuid}/log` */
export async function showLog(c: AuthContext, dependencies: DashboardDependencies) {
  const { sale, founder } = await founderSaleOf(c, dependencies);
  const { uuid: saleUuid } = sale;
  const request = { saleUuid, pageSize: PAGE_SIZE, pageToken: c.req.query("before") ?? "" };
  const page = await permitted(() => dependencies.clients.memberships.listSaleEvents(request, founder.atAuth));
  const { events, nextPageToken } = page;
  const older = `${salePaths(saleUuid).log}?${new URLSearchParams({ before: nextPageToken })}`;
  return showPage(
    c,
    dashboardPage({
      title: "What was done",
      crumbs: saleCrumbs(sale),
      content: html`<div class="page-head"><h1>What was done</h1></div>
<section class="panel" aria-label="Events, the latest first">
${events.length === 0 ? html`<p class="quiet">Nothing yet.</p>` : html`<ol class="list">${events.map(eventItem)}</ol>`}
${nextPageToken !== "" && html`<div class="panel-foot"><a class="button secondary small" href="${older}">Older</a></div>`}
</section>`,
    }),
  );
}

function eventItem(event: SaleEvent): Html {
  return html`<li><div class="grow"><p>${eventText(event)}</p>${changeList(event.changes)}
<p class="quiet">${utcTime(event.at)}, by ${personText(event.by)}</p></div></li>`;
}

function overriddenText({ checkOverridden }: SaleEvent): string {
  return checkOverridden ? ", although the contract was found wrong or couldn’t be checked" : "";
}

function changeList(changes: readonly SettingChange[]): Html {
  if (changes.length === 0) return html``;
  return html`<ul class="changes">${changes.map((change) => html`<li>${changeText(change)}</li>`)}</ul>`;
}

function changeText({ field, before, after }: SettingChange): Html {
  const label = scopeName(field);
  if (before === "") return html`${label}, added: <bdi>${after}</bdi>`;
  if (after === "") return html`${label}, removed: <del><bdi>${before}</bdi></del>`;
  return html`${label}: from <del><bdi>${before}</bdi></del> to <bdi>${after}</bdi>`;
}

function eventText(event: SaleEvent): Html {
  const client = html`<strong><bdi>${event.clientName || event.clientUuid}</bdi></strong>`;
  switch (event.kind) {
    case SaleEventKind.SALE_CREATED:
      return html`The sale was created`;
    case SaleEventKind.SALE_CHANGED:
      return html`The settings were changed${overriddenText(event)}`;
    case SaleEventKind.SALE_OPENED:
      return html`The sale was opened${overriddenText(event)}`;
    case SaleEventKind.SALE_SETTLED:
      return html`The sale was settled`;
    case SaleEventKind.SALE_WITHDRAWN:
      return html`The sale was withdrawn`;
    case SaleEventKind.MEMBER_SET:
      return html`${personText(event.member)} became ${roleText(event.role).name.toLowerCase()}`;
    case SaleEventKind.MEMBER_REMOVED:
      return html`${personText(event.member)} was removed`;
    case SaleEventKind.CLIENT_CREATED:
      return html`The application ${client} was added`;
    case SaleEventKind.CLIENT_CHANGED:
      return html`The application ${client} was changed`;
    case SaleEventKind.CLIENT_LOGO_SET:
      return html`The ${event.logoShape} logo of ${client} was set`;
    case SaleEventKind.CLIENT_DISABLED:
      return html`The application ${client} was disabled`;
    case SaleEventKind.CLIENT_ENABLED:
      return html`The application ${client} was enabled`;
    case SaleEventKind.PARTICIPATION_CHANGED:
      return html`The rules of taking part were changed`;
    case SaleEventKind.PARTICIPANTS_CHANGED:
      return html`Who is listed for the sale was changed`;
    case SaleEventKind.PERMIT_KEY_CHANGED:
      return html`A key that signs permits was changed`;
    case SaleEventKind.ENTITY_FREEZE_CHANGED:
      return html`Permits of an entity were stopped or allowed again`;
    default:
      return html`Something was done`;
  }
}

function personText(person: SaleEventPerson | undefined): Html {
  if (person === undefined) return html`an operator`;
  return person.email === "" ? html`somebody who is no member now` : html`<bdi>${person.email}</bdi>`;
}
