import type { AuthContext } from "../web/http/hono-context.ts";
import { ACCOUNT_LINK } from "../web/pages/account-link.ts";
import { guardedForm } from "../web/pages/form-guard.ts";
import { showPage } from "../web/pages/layout.ts";
import { SIGN_OUT_FORM } from "../web/pages/page-form.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { signedOutUrl, TOKENS_OUTCOMES } from "../web/sessions/signed-out-url.ts";
import { requestLanguage } from "../web/texts/request-language.ts";
import { authorizationUrl } from "./authorization-step.ts";
import { wantsTokensEnded } from "./end-tokens-field.ts";
import { signedOutPage } from "./signed-out-page.ts";

/**
 * `POST /sign-out`. From the consent page it returns to the authorization, so that the user can choose another
 * account.
 */
export async function signOut(c: AuthContext, dependencies: AuthDependencies) {
  const { clients, cookies } = dependencies;
  const sessionToken = cookies.sessionToken(c);
  const link = () => ACCOUNT_LINK;
  const form = await guardedForm(c, dependencies, { purpose: SIGN_OUT_FORM, secret: sessionToken, link });
  const endTokens = wantsTokensEnded(form);
  const { tokensEnded } = await clients.accounts.signOut({ sessionToken: sessionToken ?? "", endTokens });
  cookies.clearSession(c);
  const authorization = form.text("authorization");
  const isOver = authorization === "";
  return c.redirect(isOver ? signedOutUrl({ endTokens, tokensEnded }) : authorizationUrl(authorization), 303);
}

/** `GET /signed-out` */
export function showSignedOut(c: AuthContext) {
  const tokens = TOKENS_OUTCOMES.find((outcome) => outcome === c.req.query("tokens"));
  const view = { isDeleted: c.req.query("deleted") === "1", tokens };
  return showPage(c, signedOutPage(view, requestLanguage(c.env.incoming)));
}
