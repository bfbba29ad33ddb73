import { timestampMs } from "@bufbuild/protobuf/wkt";
import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { ParticipationGroup } from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import type { PermitRecord } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { dashboardPage } from "../base/dashboard-page.ts";
import { permitted } from "../base/founder.ts";
import type { TakingPartDependencies } from "../base/taking-part-dependencies.ts";
import { texts } from "../base/texts.ts";
import { entityIdText, readEntityId } from "./entity-ids.ts";
import { freezeLink } from "./freezes.ts";
import { permitBounds } from "./permit-bounds.ts";
import { type TakingPartSale, takingPartCrumbs, takingPartSaleOf } from "./taking-part-sale.ts";

const PAGE_SIZE = 25;

interface PermitsView {
  readonly found: TakingPartSale;
  readonly permits: readonly PermitRecord[];
  readonly groups: readonly ParticipationGroup[];
  readonly nextPageToken: string;
  /** The entity whose permits are listed; empty: all. */
  readonly entity: string;
}

/** `GET …/taking-part/permits` */
export async function showPermits(c: AuthContext, dependencies: TakingPartDependencies) {
  const found = await takingPartSaleOf(c, dependencies);
  const { eligibility, permits } = dependencies.entitiesUpstream;
  const saleUuid = found.sale.uuid;
  const id = readEntityId(c.req.query("entity") ?? "");
  const pageToken = c.req.query("after") ?? "";
  const page = { saleUuid, pageSize: PAGE_SIZE, pageToken, saleSpecificEntityId: id ?? new Uint8Array() };
  const [list, { rules }] = await permitted(() =>
    Promise.all([permits.listPermits(page, found.atEntities), eligibility.getRules({ saleUuid }, found.atEntities)]),
  );
  const entity = id === undefined ? "" : entityIdText(id);
  const { nextPageToken } = list;
  return showPage(c, permitsPage({ found, permits: list.permits, groups: rules?.groups ?? [], nextPageToken, entity }));
}

function permitsPage(view: PermitsView) {
  const { found, permits, nextPageToken, entity } = view;
  const path = found.paths.permits;
  const older = `${path}?${new URLSearchParams({ ...(entity !== "" && { entity }), after: nextPageToken })}`;
  const words = texts().permits;
  return dashboardPage({
    title: words.title,
    crumbs: takingPartCrumbs(found),
    content: html`<div class="page-head"><h1>${words.title}</h1></div>
${entity !== "" && html`<p class="notice">${fillHtml(words.onlyOf, { entity: html`<code>${entity}</code>` })} <a href="${path}">${words.showAll}</a></p>`}
<section class="panel" aria-label="${words.latestFirst}">
${permits.length === 0 ? html`<p class="quiet">${words.none}</p>` : html`<ol class="list">${permits.map((permit) => permitItem(permit, view))}</ol>`}
${nextPageToken !== "" && html`<div class="panel-foot"><a class="button secondary small" href="${older}">${words.older}</a></div>`}</section>`,
  });
}

function permitItem(permit: PermitRecord, { found, groups, entity: listed }: PermitsView): Html {
  const { saleSpecificEntityId, wallet, issuedAt, expiresAt, groupUuid } = permit;
  const { paths, units, role } = found;
  const entity = entityIdText(saleSpecificEntityId);
  const group = groups.find(({ uuid }) => uuid === groupUuid)?.name;
  const words = texts().permits;
  const time = utcTime(issuedAt);
  const bounds = permitBounds(permit, units);
  const isValid = expiresAt !== undefined && timestampMs(expiresAt) > Date.now();
  return html`<li><div class="grow"><p><code>${wallet}</code> ${isValid && html`<span class="tag">${words.validNow}</span>`}</p>
<p class="quiet">${fillHtml(words.entity, { entity: html`<code>${entity}</code>` })}</p>
<p class="quiet">${group === undefined ? fillHtml(words.inGoneGroup, { time, bounds }) : fillHtml(words.inGroup, { time, group: html`<bdi>${group}</bdi>`, bounds })}</p>
<p class="links">${listed === "" && html`<a href="${paths.permits}?${new URLSearchParams({ entity })}" aria-label="${fill(words.allOfEntity, { entity })}">${words.allOf}</a>`}
${role === Role.OWNER && html`<a href="${freezeLink(paths.freezes, entity)}" aria-label="${fill(words.freezeEntity, { entity })}">${words.freeze}</a>`}</p></div></li>`;
}
