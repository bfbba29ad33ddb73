import { html } from "hono/html";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import { areaField } from "../base/area-field.ts";
import { choiceField, tickField } from "../base/choice-fields.ts";
import { dashboardPage, doneLine } from "../base/dashboard-page.ts";
import { applicationPaths } from "../base/dashboard-paths.ts";
import { errorLinesOf, errorSummaryOf, type FormErrors } from "../base/form-errors.ts";
import { pageChoice, pageField } from "../base/form-table.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import type { FoundApplication } from "./found-application.ts";
import { SECURITY_TABLE, type SecurityFormValues } from "./security-form-values.ts";

export const SECURITY_FORM = "application security";

export interface SecurityView {
  readonly found: FoundApplication;
  readonly formValues: SecurityFormValues;
  /** Version of the application that the form values were made from. */
  readonly version: string;
  readonly errors?: FormErrors;
  readonly done?: string | undefined;
}

/** Returns the page of an application's security settings. */
export function securityPage(view: SecurityView): Page {
  const { found, errors = [], done } = view;
  const { sale, client } = found;
  const name = client.definition?.name ?? "";
  const { application } = applicationPaths(sale.uuid, client.uuid);
  return dashboardPage({
    title: `Security of ${name}`,
    errors,
    // A name would need more room than a phone has.
    crumbs: [...saleCrumbs(sale), { href: application, text: "Application" }],
    content: html`${doneLine(done)}${errorSummaryOf(errors)}
<div class="page-head"><div><h1>Security of <bdi>${name}</bdi></h1>
<p class="quiet">Agree on these with your developers: a demand that the application doesn’t meet stops its sign-in at once.</p></div></div>
${found.role >= Role.EDITOR ? securityForm(view) : settingsList(view.formValues)}`,
  });
}

function securityForm({ found, formValues, version, errors = [] }: SecurityView): Html {
  const { sale, client, founder, role } = found;
  const { security } = applicationPaths(sale.uuid, client.uuid);
  return html`<form class="column" method="post" action="${security}" novalidate>${hiddenFields(SECURITY_FORM, founder.sessionToken, { version })}
<section class="panel" aria-labelledby="demands"><h2 id="demands">Demands</h2>
${tickField(PUSH, formValues.demandsPush)}${tickField(DPOP, formValues.demandsDpop)}</section>
<section class="panel" aria-labelledby="keys"><h2 id="keys">The application’s own keys</h2>
${choiceField(pageChoice(SECURITY_TABLE.authentication), formValues.authentication)}
${areaField({ ...JWKS, error: errorLinesOf(errors, JWKS) }, formValues.jwks, html`rows="8" maxlength="32768" spellcheck="false" autocapitalize="none" autocomplete="off"`)}</section>
<section class="panel" aria-labelledby="openid"><h2 id="openid">OpenID Connect</h2>
${choiceField(pageChoice(SECURITY_TABLE.algorithm), formValues.algorithm)}
${areaField({ ...POST_LOGOUT, error: errorLinesOf(errors, POST_LOGOUT) }, formValues.postLogoutUris, html`rows="3" inputmode="url" spellcheck="false" autocapitalize="none" autocomplete="off"`)}</section>
<section class="panel" aria-label="Save"><p class="hint">${role === Role.OWNER ? OWNER_HINT : EDITOR_HINT}${
    role === Role.OWNER && !founder.isRecent ? ` ${SIGN_IN_HINT}` : ""
  }</p>
<div class="panel-foot"><button class="primary fit">Save</button></div></section></form>`;
}

/** Returns the settings for those who can't change them. */
function settingsList(formValues: SecurityFormValues): Html {
  const yesNo = (is: boolean) => (is ? "yes" : "no");
  const rows = [
    [PUSH.label, yesNo(formValues.demandsPush)],
    [DPOP.label, yesNo(formValues.demandsDpop)],
    [SECURITY_TABLE.authentication.label, formValues.authentication],
    [JWKS.label, formValues.jwks || "none"],
    [SECURITY_TABLE.algorithm.label, formValues.algorithm],
    [POST_LOGOUT.label, formValues.postLogoutUris || "none"],
  ];
  const items = rows.map(([label, text]) => html`<li><span class="grow">${label}</span> <code>${text}</code></li>`);
  return html`<section class="panel" aria-label="Settings"><ul class="list">${items}</ul></section>`;
}

const PUSH = pageField(SECURITY_TABLE.demandsPush);
const DPOP = pageField(SECURITY_TABLE.demandsDpop);
const JWKS = pageField(SECURITY_TABLE.jwks);
const POST_LOGOUT = pageField(SECURITY_TABLE.postLogoutUris);
const OWNER_HINT =
  "To switch a demand off, or to change keys, authentication or addresses, you must have signed in within the last ten minutes. The owners are notified by e-mail.";
const EDITOR_HINT = "You can switch demands on and choose the signature. Everything else needs an owner of the sale.";
const SIGN_IN_HINT = "You will be asked to sign in again: your last sign-in was more than ten minutes ago.";
