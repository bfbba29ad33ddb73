import { authorizationUrl } from "../oauth/authorization-step.ts";
import type { AuthDependencies } from "../web/auth/auth-dependencies.ts";
import { AUTH_PATHS } from "../web/auth/auth-paths.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { ACCOUNT_LINK } from "../web/pages/account-link.ts";
import { guardedForm } from "../web/pages/form-guard.ts";
import { showPage } from "../web/pages/layout.ts";
import { SIGN_OUT_FORM } from "../web/pages/page-form.ts";
import { requestLanguage } from "../web/texts/request-language.ts";
import { wantsTokensEnded } from "./end-tokens-field.ts";
import { signedOutPage, TOKENS_OUTCOMES } from "./signed-out-page.ts";

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
  if (authorization !== "") return c.redirect(authorizationUrl(authorization), 303);
  const tokens = new URLSearchParams({ tokens: tokensEnded ? "ended" : "kept" });
  return c.redirect(endTokens ? `${AUTH_PATHS.signedOut}?${tokens}` : AUTH_PATHS.signedOut, 303);
}

/** `GET /signed-out` */
export function showSignedOut(c: AuthContext) {
  const tokens = TOKENS_OUTCOMES.find((outcome) => outcome === c.req.query("tokens"));
  const view = { isDeleted: c.req.query("deleted") === "1", tokens };
  return showPage(c, signedOutPage(view, requestLanguage(c.env.incoming)));
}
