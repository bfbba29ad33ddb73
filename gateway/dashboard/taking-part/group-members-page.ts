import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import { MEMBER_COLUMNS } from "../../../common/sale/csv/member-csv.ts";
import { countText } from "../../../common/sale/words/number-text.ts";
import { amountText, type SaleUnits } from "../../../common/sale/words/sale-units.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { GroupMember } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import type { ParticipationGroup } from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { hiddenFields, textField } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { selectField } from "../base/choice-fields.ts";
import { dashboardPage, doneLine } from "../base/dashboard-page.ts";
import { errorSummaryOf, type FormErrors } from "../base/form-errors.ts";
import { listFields } from "../base/list-upload.ts";
import { texts } from "../base/texts.ts";
import { entityIdText } from "./entity-ids.ts";
import { type TakingPartSale, takingPartCrumbs } from "./taking-part-sale.ts";

export const SEARCH_FORM = "search members";
export const REMOVAL_FORM = "remove members";
export const IMPORT_FORM = "import members";

export interface GroupMembersView {
  readonly found: TakingPartSale;
  readonly members: readonly GroupMember[];
  /** Number of all members. */
  readonly memberCount: bigint;
  readonly groups: readonly ParticipationGroup[];
  readonly nextPageToken: string;
  /** The group whose members are listed; empty: all. */
  readonly groupUuid: string;
  /** The text that was searched; empty for none. */
  readonly search: string;
  readonly errors?: FormErrors;
  readonly done?: string | undefined;
}

/** Returns the page of the members of a sale's groups. */
export function groupMembersPage(view: GroupMembersView) {
  const { found, errors = [], done, memberCount } = view;
  const { paths } = found;
  const { title, csv } = texts().groupMembers;
  return dashboardPage({
    title,
    errors,
    crumbs: takingPartCrumbs(found),
    content: html`${doneLine(done)}${errorSummaryOf(errors)}<div class="page-head"><h1>${title}</h1>
${memberCount > 0n && html`<a class="button secondary" href="${paths.groupMembersCsv}" download>${csv}</a>`}</div>
<div class="panels two"><div class="column">${searchPanel(view)}${listPanel(view)}</div>
<div class="column">${mayChange(found) && importPanel(view)}</div></div>`,
  });
}

function mayChange({ role }: TakingPartSale): boolean {
  return role >= Role.EDITOR;
}

function listPanel(view: GroupMembersView): Html {
  const { found, members, memberCount, groups, groupUuid, nextPageToken, search } = view;
  const path = found.paths.groupMembers;
  const query = { ...(groupUuid !== "" && { group: groupUuid }), after: nextPageToken };
  const group = groups.find(({ uuid }) => uuid === groupUuid);
  const { all, found: foundTitle, nextPage } = texts().groupMembers;
  const allTitle = fill(all, { count: countText(memberCount, pageLanguage()) });
  const title = search === "" ? (group?.name ?? allTitle) : foundTitle;
  const items = html`<ul class="list">${members.map((member) => memberItem(member, view))}</ul>`;
  return html`<section class="panel" aria-labelledby="all"><h2 id="all"><bdi>${title}</bdi></h2>
${members.length === 0 && html`<p class="quiet">${emptyText(view)}</p>`}
${members.length > 0 && (mayChange(found) ? removalForm(found, items) : items)}
${nextPageToken !== "" && html`<div class="panel-foot"><a class="button secondary small" href="${path}?${new URLSearchParams(query)}">${nextPage}</a></div>`}</section>`;
}

function emptyText({ search, groupUuid }: GroupMembersView): string {
  const { notFound, none, noneInGroup } = texts().groupMembers;
  if (search !== "") return notFound;
  return groupUuid === "" ? none : noneInGroup;
}

function removalForm({ paths, founder }: TakingPartSale, items: Html): Html {
  return html`<form method="post" action="${paths.removeGroupMembers}">${hiddenFields(REMOVAL_FORM, founder.sessionToken)}${items}
<div class="panel-foot"><button class="danger small">${texts().groupMembers.remove}</button></div></form>`;
}

function memberItem(member: GroupMember, { found, groups }: GroupMembersView): Html {
  const { uuid, groupUuid } = member;
  const key = keyText(member);
  const group = groups.find((one) => one.uuid === groupUuid)?.name ?? texts().groupMembers.goneGroup;
  const words = html`<p><bdi>${key}</bdi></p><p class="quiet"><bdi>${group}</bdi>${boundsText(member, found.units)}</p>`;
  if (!mayChange(found)) return html`<li><div class="grow">${words}</div></li>`;
  return html`<li><input type="checkbox" name="member" value="${uuid}" aria-label="${fill(texts().groupMembers.removeOf, { member: key })}"><div class="grow">${words}</div></li>`;
}

function keyText({ key }: GroupMember): string {
  if (key.case === "saleSpecificEntityId") return entityIdText(key.value);
  return key.value ?? "";
}

function boundsText({ minAmount, maxAmount }: GroupMember, units: SaleUnits): string {
  const { atLeast, atMost } = texts().ruleWords;
  const bounds = [
    ...(minAmount === "" ? [] : [fill(atLeast, { least: amountText(units, BigInt(minAmount)) })]),
    ...(maxAmount === "" ? [] : [fill(atMost, { most: amountText(units, BigInt(maxAmount)) })]),
  ];
  return bounds.map((bound) => `, ${bound}`).join("");
}

function searchPanel({ found, groups, search }: GroupMembersView): Html {
  const { paths, founder } = found;
  const { find, search: label, allGroups } = texts().groupMembers;
  return html`<section class="panel" aria-labelledby="search-title"><h2 id="search-title">${find}</h2>
<form method="post" action="${paths.groupMembers}" novalidate>${hiddenFields(SEARCH_FORM, founder.sessionToken)}
${textField({ id: "search", name: "search", label, value: search, isOptional: true, attributes: html`maxlength="254" autocomplete="off" autocapitalize="none" spellcheck="false"` })}
<div class="panel-foot"><button class="secondary small">${find}</button></div></form>
${
  groups.length > 1 &&
  html`<p class="links"><a href="${paths.groupMembers}">${allGroups}</a>${groups.map(
    ({ uuid, name }) =>
      html`<a href="${paths.groupMembers}?${new URLSearchParams({ group: uuid })}"><bdi>${name}</bdi></a>`,
  )}</p>`
}</section>`;
}

function importPanel({ found, groups }: GroupMembersView): Html {
  const { paths, founder } = found;
  const words = texts().groupMembers;
  const { checkFirst, importNow } = texts().listImport;
  if (groups.length === 0) {
    return html`<section class="panel" aria-labelledby="import"><h2 id="import">${words.import}</h2><p>${words.noGroups}</p></section>`;
  }
  const options = [["", words.groupOfLine] as const, ...groups.map(({ uuid, name }) => [uuid, name] as const)];
  const columns = html`${MEMBER_COLUMNS.map((name, index) => html`${index > 0 && ", "}<code>${name}</code>`)}`;
  const chosen = groups.length === 1 ? (groups[0]?.uuid ?? "") : "";
  return html`<section class="panel" aria-labelledby="import"><h2 id="import">${words.import}</h2>
<p>${fillHtml(words.importText, { columns })}</p>
<form method="post" action="${paths.importGroupMembers}" enctype="multipart/form-data" novalidate>${hiddenFields(IMPORT_FORM, founder.sessionToken)}
${selectField({ id: "group", label: words.group }, options, chosen)}
${listFields(words.linesHint)}
<div class="panel-foot"><button class="primary fit" name="do" value="check">${checkFirst}</button>
<button class="secondary" name="do" value="import">${importNow}</button></div></form></section>`;
}
