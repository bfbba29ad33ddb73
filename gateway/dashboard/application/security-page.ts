import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { hiddenFields } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import { areaField } from "../base/area-field.ts";
import { choiceField, tickField } from "../base/choice-fields.ts";
import { dashboardPage, doneLine } from "../base/dashboard-page.ts";
import { applicationPaths } from "../base/dashboard-paths.ts";
import { errorLinesOf, errorSummaryOf, type FormErrors } from "../base/form-errors.ts";
import { pageChoice, pageField } from "../base/form-table.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";
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
  const words = texts().security;
  return dashboardPage({
    title: fill(words.titleOf, { name }),
    errors,
    // A name would need more room than a phone has.
    crumbs: [...saleCrumbs(sale), { href: application, text: texts().application.panel }],
    content: html`${doneLine(done)}${errorSummaryOf(errors)}
<div class="page-head"><div><h1>${fillHtml(words.titleOf, { name: html`<bdi>${name}</bdi>` })}</h1>
<p class="quiet">${words.intro}</p></div></div>
${found.role >= Role.EDITOR ? securityForm(view) : settingsList(view.formValues)}`,
  });
}

function securityForm({ found, formValues, version, errors = [] }: SecurityView): Html {
  const { sale, client, founder, role } = found;
  const { security } = applicationPaths(sale.uuid, client.uuid);
  const words = texts().security;
  const { demandsPush, demandsDpop } = SECURITY_TABLE;
  const [jwks, postLogout] = [pageField(SECURITY_TABLE.jwks), pageField(SECURITY_TABLE.postLogoutUris)];
  return html`<form class="column" method="post" action="${security}" novalidate>${hiddenFields(SECURITY_FORM, founder.sessionToken, { version })}
<section class="panel" aria-labelledby="demands"><h2 id="demands">${words.demands}</h2>
${tickField(pageField(demandsPush), formValues.demandsPush)}${tickField(pageField(demandsDpop), formValues.demandsDpop)}</section>
<section class="panel" aria-labelledby="keys"><h2 id="keys">${words.keys}</h2>
${choiceField(pageChoice(SECURITY_TABLE.authentication), formValues.authentication)}
${areaField({ ...jwks, error: errorLinesOf(errors, jwks) }, formValues.jwks, html`rows="8" maxlength="32768" spellcheck="false" autocapitalize="none" autocomplete="off"`)}</section>
<section class="panel" aria-labelledby="openid"><h2 id="openid">${words.openid}</h2>
${choiceField(pageChoice(SECURITY_TABLE.algorithm), formValues.algorithm)}
${areaField({ ...postLogout, error: errorLinesOf(errors, postLogout) }, formValues.postLogoutUris, html`rows="3" inputmode="url" spellcheck="false" autocapitalize="none" autocomplete="off"`)}</section>
<section class="panel" aria-label="${words.save}"><p class="hint">${role === Role.OWNER ? words.ownerHint : words.editorHint}${
    role === Role.OWNER && !founder.isRecent ? ` ${texts().application.willSignIn}` : ""
  }</p>
<div class="panel-foot"><button class="primary fit">${words.save}</button></div></section></form>`;
}

/** Returns the settings for those who can't change them. */
function settingsList(formValues: SecurityFormValues): Html {
  const { yes, no, none, settings } = texts().security;
  const yesNo = (is: boolean) => (is ? yes : no);
  const { demandsPush, demandsDpop, authentication, jwks, algorithm, postLogoutUris } = SECURITY_TABLE;
  const rows = [
    [demandsPush.label, yesNo(formValues.demandsPush)],
    [demandsDpop.label, yesNo(formValues.demandsDpop)],
    [authentication.label, formValues.authentication],
    [jwks.label, formValues.jwks || none],
    [algorithm.label, formValues.algorithm],
    [postLogoutUris.label, formValues.postLogoutUris || none],
  ];
  const items = rows.map(
    ([label, text]) => html`<li><span class="grow">${label}</span> <code dir="ltr">${text}</code></li>`,
  );
  return html`<section class="panel" aria-label="${settings}"><ul class="list">${items}</ul></section>`;
}
