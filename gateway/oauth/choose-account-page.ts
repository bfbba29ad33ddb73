import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import type { ChooseAccountStep } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { signedInAccount } from "../sign-in/signed-in-account.ts";
import { errorSummary, hiddenFields, titleWith } from "../web/pages/fields.ts";
import type { Page } from "../web/pages/layout.ts";
import { SIGN_OUT_FORM } from "../web/pages/page-form.ts";
import { clientLine, formTargetsOf, testNotice } from "../web/pages/requesting-application.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import { TEXTS } from "../web/texts/texts.ts";

export const CHOOSE_ACCOUNT_FORM = "choose-account";

export interface ChooseAccountView
  extends Pick<ChooseAccountStep, "authorizationHandle" | "client" | "accountUuid" | "email"> {
  readonly sessionToken: string;
  /** The reason why the choice before wasn't taken. */
  readonly error?: string | undefined;
}

/** Returns the page on which the user goes on with the signed-in account, or signs in with another one. */
export function chooseAccountPage(view: ChooseAccountView, language: Language): Page {
  const { client, email, accountUuid, authorizationHandle: authorization, sessionToken, error } = view;
  const texts = TEXTS[language];
  const { chooseAccount } = texts;
  return {
    title: titleWith(chooseAccount.title, error, texts),
    language,
    status: error === undefined ? 200 : 422,
    formTargets: formTargetsOf(client),
    notice: testNotice(client, texts),
    content: html`${errorSummary(error, undefined, texts)}
<h1>${chooseAccount.title}</h1>
${client && clientLine(texts.signIn.continueTo, client)}
<div class="account">${signedInAccount(email, texts)}</div>
<form method="post" action="${AUTH_PATHS.chooseAccount}">
${hiddenFields(CHOOSE_ACCOUNT_FORM, sessionToken, { authorization, account: accountUuid })}
<div class="actions"><button class="primary">${chooseAccount.goOn}</button></div>
</form>
<form method="post" action="${AUTH_PATHS.signOut}">
${hiddenFields(SIGN_OUT_FORM, sessionToken, { authorization })}
<div class="actions"><button class="secondary">${chooseAccount.another}</button></div>
</form>`,
  };
}
