import { Code } from "@connectrpc/connect";
import type { Language } from "../../common/platform/language/language.ts";
import type { LogoutStep } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { failureText } from "../web/pages/failure.ts";
import { formOfOwnPage, requireFormToken, showAgainLink } from "../web/pages/form-guard.ts";
import { keepAskedLanguage } from "../web/pages/language-answer.ts";
import { showPage } from "../web/pages/layout.ts";
import { type PageForm, pageForm, unreadableForm } from "../web/pages/page-form.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { isRefused } from "../web/sessions/auth-failure.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import { noteForm, shownRefusal } from "../web/sessions/refused-steps.ts";
import { peerOf } from "../web/sessions/request-peer.ts";
import type { Refusal } from "../web/sessions/sealed-refusal.ts";
import { signedOutUrl } from "../web/sessions/signed-out-url.ts";
import { requestLanguage } from "../web/texts/request-language.ts";
import {
  ENDS_ALL_TOKENS,
  ENDS_CLIENT_TOKENS,
  LOGOUT_FORM,
  type LogoutView,
  logoutErrorPage,
  logoutPage,
  nobodySignedInPage,
} from "./logout-page.ts";
import type { OAuthParameter } from "./parameters.ts";
import { fieldsForAddress, pageParameters, queryParameters } from "./parameters.ts";

type Step = LogoutStep["step"];

/**
 * `GET /oauth/logout` (OpenID Connect RP-Initiated Logout section 2): asks the user. `ui_locales` is kept first and taken out of
 * the address, so that the switch of the page can change the language.
 */
export async function beginLogout(c: AuthContext, dependencies: AuthDependencies) {
  const parameters = queryParameters(c);
  const { searchParams } = new URL(c.req.url);
  if (searchParams.getAll("ui_locales").length === 1) {
    keepAskedLanguage(c, searchParams.get("ui_locales") ?? "", isSecure(dependencies));
    searchParams.delete("ui_locales");
    return c.redirect(`${AUTH_PATHS.logout}?${searchParams}`, 303);
  }
  const sessionToken = dependencies.cookies.sessionToken(c) ?? "";
  const refusal = shownRefusal(c, dependencies, sessionToken);
  return showStep(c, await stepOf(c, dependencies, parameters, sessionToken), sessionToken, refusal);
}

/** `POST /oauth/logout`: checks the request, and leads to the page by GET. The ID token stays out of the address. */
export async function beginLogoutByForm(c: AuthContext, dependencies: AuthDependencies) {
  const form = await fieldsForAddress(c);
  // The browser sends no session with a form of another site. What the application has sent leads nowhere alone.
  noteForm(c, { address: AUTH_PATHS.logout, secret: undefined, values: {} });
  const step = await stepOf(c, dependencies, pageParameters(form), "");
  if (step.case !== "signedOut") return showStep(c, step, "");
  const { client } = step.value;
  if (client !== undefined) form.set("client_id", client.clientUuid);
  for (const name of ["id_token_hint", "logout_hint"]) form.delete(name);
  return c.redirect(`${AUTH_PATHS.logout}?${form}`, 303);
}

/**
 * `POST /oauth/logout/confirm`: ends the session, and tokens that the user wants ended. It goes on to the application in the same
 * way where the session has ended before: in another tab, or by the first of two clicks; but where tokens were to end, which they then
 * don't, the page for somebody who has signed out says so.
 */
export async function confirmLogout(c: AuthContext, dependencies: AuthDependencies) {
  const { clients, cookies } = dependencies;
  const sessionToken = cookies.sessionToken(c);
  const link = (sent: PageForm) => showAgainLink(logoutAddress(returnOf(sent)));
  const form = await formOfOwnPage(c, dependencies, { link }, pageForm);
  if (sessionToken !== undefined) requireFormToken(form, { purpose: LOGOUT_FORM, secret: sessionToken, link });
  const values = form.values([ENDS_CLIENT_TOKENS, ENDS_ALL_TOKENS]);
  noteForm(c, { address: logoutAddress(returnOf(form)), secret: sessionToken, values });
  const request = {
    sessionToken: sessionToken ?? "",
    ...returnOf(form),
    endsClientTokens: form.text(ENDS_CLIENT_TOKENS) === "yes",
    endsAllTokens: form.text(ENDS_ALL_TOKENS) === "yes",
  };
  const { error, returnUrl, tokensEnded } = await orUnreadable(() => clients.authorization.completeLogout(request));
  if (error !== undefined) return showPage(c, logoutErrorPage(error, requestLanguage(c.env.incoming)));
  cookies.clearSession(c);
  const { endsAllTokens, endsClientTokens } = request;
  // The application's page couldn't say that the access goes on.
  const isKept = (endsAllTokens || endsClientTokens) && !tokensEnded;
  if (returnUrl !== "" && !isKept) return c.redirect(returnUrl, 303);
  return c.redirect(signedOutUrl({ endTokens: endsAllTokens || isKept, tokensEnded }), 303);
}

/** Returns the application, and its address, that the form of a sign-out names. */
function returnOf(form: PageForm) {
  return {
    clientUuid: form.text("client"),
    postLogoutRedirectUri: form.text("post_logout_redirect_uri"),
    state: form.text("state"),
  };
}

/** Returns the address that asks the same again. */
function logoutAddress({
  clientUuid: client_id,
  postLogoutRedirectUri: post_logout_redirect_uri,
  state,
}: Readonly<Record<"clientUuid" | "postLogoutRedirectUri" | "state", string>>): string {
  const values = Object.entries({ client_id, post_logout_redirect_uri, state }).filter(([, value]) => value !== "");
  return `${AUTH_PATHS.logout}?${new URLSearchParams(values)}`;
}

async function stepOf(
  c: AuthContext,
  dependencies: AuthDependencies,
  parameters: readonly OAuthParameter[],
  sessionToken: string,
): Promise<Step> {
  const request = { parameters: [...parameters], sessionToken, peer: peerOf(c, dependencies) };
  const { step } = await dependencies.clients.authorization.beginLogout(request);
  return step?.step ?? { case: undefined };
}

function showStep(c: AuthContext, step: Step, sessionToken: string, refusal?: Refusal) {
  const language = requestLanguage(c.env.incoming);
  switch (step.case) {
    case "confirm":
      return showPage(c, logoutPage({ ...step.value, sessionToken, ...failed(refusal, language) }, language));
    case "signedOut":
      return showPage(c, nobodySignedInPage(step.value, language));
    case "error":
      return showPage(c, logoutErrorPage(step.value, language));
    case undefined:
      throw new TypeError("LogoutStep.step is missing");
  }
}

/** Returns what the page shows of a form of it that has failed. */
function failed(refusal: Refusal | undefined, language: Language): Pick<LogoutView, "failure" | "ticked"> {
  const ticked = Object.keys(refusal?.values ?? {});
  return { failure: failureText(refusal, language), ticked: new Set(ticked) };
}

function isSecure({ config }: AuthDependencies): boolean {
  return config.authUrl.startsWith("https:");
}

/** The auth service refuses only values that the page doesn't have. */
async function orUnreadable<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (isRefused(error, Code.InvalidArgument)) throw unreadableForm(400, ({ form }) => form.elsewhereText);
    throw error;
  }
}
