import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { ACCOUNT_LINK } from "../web/pages/account-link.ts";
import { formOfOwnPage, requireFormToken, showAgainLink } from "../web/pages/form-guard.ts";
import { type Page, showPage } from "../web/pages/layout.ts";
import { type PageForm, pageForm, SIGN_OUT_FORM } from "../web/pages/page-form.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import { noteForm } from "../web/sessions/refused-steps.ts";
import { signedOutUrl, TOKENS_OUTCOMES, type TokensOutcome } from "../web/sessions/signed-out-url.ts";
import { requestLanguage } from "../web/texts/request-language.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { authorizationUrl } from "./authorization-step.ts";
import { wantsTokensEnded } from "./end-tokens-field.ts";

/**
 * `POST /sign-out`. From the consent page it returns to the authorization, so that the user can choose another
 * account. It goes on in the same way where the session has ended before: in another tab, or by the first of two clicks.
 */
export async function signOut(c: AuthContext, dependencies: AuthDependencies) {
  const { clients, cookies } = dependencies;
  const sessionToken = cookies.sessionToken(c);
  const addressOf = (sent: PageForm) => {
    const handle = sent.text("authorization");
    return handle === "" ? AUTH_PATHS.account : authorizationUrl(handle);
  };
  const link = (sent: PageForm) => (sent.text("authorization") === "" ? ACCOUNT_LINK : showAgainLink(addressOf(sent)));
  const form = await formOfOwnPage(c, dependencies, { link }, pageForm);
  const authorization = form.text("authorization");
  if (sessionToken !== undefined) requireFormToken(form, { purpose: SIGN_OUT_FORM, secret: sessionToken, link });
  // The pages of an authorization are bound to the browser.
  const secret = authorization === "" ? sessionToken : cookies.browserToken(c);
  noteForm(c, { address: addressOf(form), secret, values: {} });
  const endTokens = wantsTokensEnded(form);
  const { tokensEnded } = await clients.accounts.signOut({ sessionToken: sessionToken ?? "", endTokens });
  cookies.clearSession(c);
  const isOver = authorization === "";
  return c.redirect(isOver ? signedOutUrl({ endTokens, tokensEnded }) : authorizationUrl(authorization), 303);
}

/** `GET /signed-out` */
export function showSignedOut(c: AuthContext) {
  const tokens = TOKENS_OUTCOMES.find((outcome) => outcome === c.req.query("tokens"));
  const view = { isDeleted: c.req.query("deleted") === "1", tokens };
  return showPage(c, signedOutPage(view, requestLanguage(c.env.incoming)));
}

interface SignedOutView {
  /** Whether the account was deleted. */
  readonly isDeleted: boolean;
  /** The outcome for the access of applications; undefined where the person didn't want it ended. */
  readonly tokens?: TokensOutcome | undefined;
}

const TOKENS_TEXT = { ended: "tokensEnded", kept: "tokensKept" } as const;

function signedOutPage({ isDeleted, tokens }: SignedOutView, language: Language): Page {
  const { signedOut } = TEXTS[language];
  const title = isDeleted ? signedOut.deletedTitle : signedOut.title;
  return {
    title,
    language,
    content: html`<h1>${title}</h1>
${
  isDeleted
    ? html`<p>${signedOut.deletedText}</p>`
    : html`${tokens && html`<p>${signedOut[TOKENS_TEXT[tokens]]}</p>`}
<p>${signedOut.text}</p>
<p><a class="button secondary" href="${AUTH_PATHS.signIn}">${signedOut.again}</a></p>`
}`,
  };
}
