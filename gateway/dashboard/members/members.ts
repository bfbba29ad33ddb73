import { html } from "hono/html";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import { fill } from "../../../common/platform/language/message.ts";
import { type Member, Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { EMAIL_ATTRIBUTES, enteredEmail, isEmailLike } from "../../web/pages/email-entry.ts";
import { hiddenFields, textField } from "../../web/pages/fields.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import { DASHBOARD_PATH } from "../../web/sessions/auth-paths.ts";
import { peerOf } from "../../web/sessions/request-peer.ts";
import { selectField } from "../base/choice-fields.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { dashboardPage, doneLine, founderForm } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { errorOf, errorSummaryOf, type FormErrors, refusalErrors } from "../base/form-errors.ts";
import { contractErrorField, type FormTable, formValues, pageField, pageText } from "../base/form-table.ts";
import { type FounderSale, founderSaleOf, requireRecent, resultOrRefusal } from "../base/founder.ts";
import { ROLES, roleOfValue, roleText } from "../base/role-text.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import { pageTexts, texts } from "../base/texts.ts";
import { passkeyRuleSection } from "./passkey-rule.ts";

const MEMBER_FORM = "set member";
const REMOVAL_FORM = "remove member";

/** The form that adds a member, or changes a member's role. */
const MEMBER_TABLE = {
  email: {
    field: "email",
    kind: "trimmed",
    get label() {
      return texts().members.email;
    },
    get hint() {
      return texts().members.emailHint;
    },
    contract: ["email"],
  },
  role: {
    field: "role",
    kind: "exact",
    get label() {
      return texts().members.role;
    },
  },
} as const satisfies FormTable;

/** Returns the message about a change, by the value of `done`. */
function doneText(done: string): string | undefined {
  const { set, removed, passkeysRequired, passkeysNotRequired } = texts().members;
  const messages = {
    set,
    removed,
    "passkeys-required": passkeysRequired,
    "passkeys-not-required": passkeysNotRequired,
  };
  return new Map(Object.entries(messages)).get(done);
}

interface MembersView extends FounderSale {
  readonly entered?: { readonly email: string; readonly role: Role };
  readonly errors?: FormErrors;
  readonly done?: string | undefined;
}

/** `GET /dashboard/sales/{uuid}/members`. With `change` it requires a recent sign-in first. */
export async function showMembers(c: AuthContext, dependencies: DashboardDependencies) {
  const wantsChange = c.req.query("change") === "1";
  const found = await founderSaleOf(c, dependencies);
  if (wantsChange) requireRecent(found.founder, `${c.req.path}?change=1`);
  return showPage(c, membersPage({ ...found, done: doneText(c.req.query("done") ?? "") }));
}

/** `POST /dashboard/sales/{uuid}/members`: adds a member, or changes a member's role. */
export async function setMember(c: AuthContext, dependencies: DashboardDependencies) {
  const form = await founderForm(c, dependencies, MEMBER_FORM);
  const found = await founderSaleOf(c, dependencies, membersPath(c));
  requireRecent(found.founder, `${membersPath(c)}?change=1`);
  const { uuid: saleUuid } = found.sale;
  const { role } = formValues(MEMBER_TABLE, form);
  const entered = { email: enteredEmail(form), role: roleOfValue(role) };
  const refuse = (errors: FormErrors) => showPage(c, membersPage({ ...found, entered, errors }));
  if (!isEmailLike(entered.email)) return refuse([{ field: "email", text: pageTexts().signIn.emailError }]);
  if (entered.role === Role.UNSPECIFIED) return refuse([{ field: "role", text: texts().members.roleError }]);
  const request = { saleUuid, ...entered, peer: peerOf(c, dependencies) };
  const set = await resultOrRefusal(() => dependencies.clients.memberships.setMember(request, found.founder.atAuth));
  if ("refusal" in set) return refuse(refusalErrors(set.refusal, (name) => contractErrorField(MEMBER_TABLE, name)));
  return c.redirect(`${salePaths(saleUuid).members}?done=set`, 303);
}

/** `POST /dashboard/sales/{uuid}/members/remove` */
export async function removeMember(c: AuthContext, dependencies: DashboardDependencies) {
  const form = await founderForm(c, dependencies, REMOVAL_FORM);
  const found = await founderSaleOf(c, dependencies, membersPath(c));
  requireRecent(found.founder, `${membersPath(c)}?change=1`);
  const { uuid: saleUuid } = found.sale;
  const accountUuid = parseUuid(form.text("account")) ?? "";
  const request = { saleUuid, accountUuid, peer: peerOf(c, dependencies) };
  const removed = await resultOrRefusal(() =>
    dependencies.clients.memberships.removeMember(request, found.founder.atAuth),
  );
  if ("refusal" in removed) {
    return showPage(c, membersPage({ ...found, errors: refusalErrors(removed.refusal, () => undefined) }));
  }
  const isSelf = accountUuid === found.founder.account.uuid;
  return c.redirect(isSelf ? DASHBOARD_PATH : `${salePaths(saleUuid).members}?done=removed`, 303);
}

function membersPath(c: AuthContext): string {
  return c.req.path.replace(/\/remove$/, "");
}

function membersPage(view: MembersView) {
  const { sale, members, role, founder, errors = [], done } = view;
  const isOwner = role === Role.OWNER;
  const changes = founder.isRecent;
  const { title, all, roles } = texts().members;
  return dashboardPage({
    title,
    errors,
    crumbs: saleCrumbs(sale),
    content: html`${doneLine(done)}${errorSummaryOf(errors)}<div class="page-head"><h1>${title}</h1></div>
<div class="panels two"><section class="panel" aria-labelledby="all"><h2 id="all">${all}</h2>
<ul class="list">${members.map((member) => memberItem(member, view))}</ul></section>
<div class="column">${isOwner && changes ? invitation(view) : confirmation(view)}
${passkeyRuleSection(view)}
<section class="panel" aria-labelledby="roles"><h2 id="roles">${roles}</h2><dl class="facts">${ROLES.toReversed().map(
      (one) => {
        const { name, detail } = roleText(one);
        return html`<dt>${name}</dt><dd>${detail}</dd>`;
      },
    )}</dl></section></div></div>`,
  });
}

/**
 * Returns the section that leads to a sign-in, since changing members requires a recent one; nothing after a recent
 * sign-in.
 */
function confirmation({ sale, role, founder }: MembersView): Html {
  if (founder.isRecent) return html``;
  const { change, leaveTitle } = texts().members;
  const { repeatedTitle, repeatedText } = pageTexts().signIn;
  const what = role === Role.OWNER ? change : leaveTitle;
  const href = `${salePaths(sale.uuid).members}?change=1`;
  return html`<section class="panel" aria-labelledby="change"><h2 id="change">${what}</h2>
<p>${repeatedText}</p>
<div class="panel-foot"><a class="button primary fit" href="${href}">${repeatedTitle}</a></div></section>`;
}

function memberItem(
  { accountUuid, email, role, hasPasskey }: Member,
  { sale, role: ownRole, founder }: MembersView,
): Html {
  const isSelf = accountUuid === founder.account.uuid;
  const { name, value } = roleText(role);
  const { members, removeMember: removal } = salePaths(sale.uuid);
  const mayChange = ownRole === Role.OWNER && founder.isRecent;
  const words = texts().members;
  const select = html`<select name="role" aria-label="${fill(words.roleOf, { email })}">${ROLES.map((one) => {
    const option = roleText(one);
    return html`<option value="${option.value}"${option.value === value ? " selected" : ""}>${option.name}</option>`;
  })}</select>`;
  return html`<li><div class="grow"><p><bdi>${email}</bdi>${isSelf && html` <span class="tag">${words.you}</span>`}${hasPasskey && html` <span class="tag">${words.passkey}</span>`}</p>${!mayChange && html`<p class="quiet">${name}</p>`}</div>
${
  mayChange &&
  html`<form class="inline-form" method="post" action="${members}">${hiddenFields(MEMBER_FORM, founder.sessionToken, { email })}${select}
<button class="secondary small" aria-label="${fill(words.saveRoleOf, { email })}">${words.save}</button></form>`
}
${
  mayChange || (isSelf && founder.isRecent)
    ? html`<form class="inline-form" method="post" action="${removal}">${hiddenFields(REMOVAL_FORM, founder.sessionToken, { account: accountUuid })}
<button class="danger small" aria-label="${isSelf ? words.leaveSale : fill(words.removeOf, { email })}">${isSelf ? words.leave : words.remove}</button></form>`
    : ""
}</li>`;
}

function invitation({ sale, founder, entered, errors = [] }: MembersView): Html {
  const roles = ROLES.map((role): [string, string] => [roleText(role).value, roleText(role).name]);
  const chosen = roleText(entered?.role || Role.VIEWER).value;
  return html`<section class="panel" aria-labelledby="invite"><h2 id="invite">${texts().members.inviteTitle}</h2>
<form method="post" action="${salePaths(sale.uuid).members}" novalidate>${hiddenFields(MEMBER_FORM, founder.sessionToken)}
${textField({
  ...pageText(MEMBER_TABLE.email, entered?.email ?? "", errors),
  attributes: html`${EMAIL_ATTRIBUTES} autocomplete="off"`,
})}
${selectField({ ...pageField(MEMBER_TABLE.role), error: errorOf(errors, "role") }, roles, chosen)}
<div class="panel-foot"><button class="primary fit">${texts().members.invite}</button></div></form></section>`;
}
