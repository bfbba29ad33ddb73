import { Code, ConnectError } from "@connectrpc/connect";
import { html } from "hono/html";
import type { Language } from "../../common/platform/language/language.ts";
import { fill } from "../../common/platform/language/message.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { failureText } from "../web/pages/failure.ts";
import { errorSummary, hiddenFields, titleWith } from "../web/pages/fields.ts";
import { fillHtml } from "../web/pages/fill-html.ts";
import { type Page, showPage } from "../web/pages/layout.ts";
import { sessionForm } from "../web/pages/session-form.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { isRefused } from "../web/sessions/auth-failure.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import { requirePasskeySession } from "../web/sessions/passkey-session.ts";
import { redirectRefused, shownRefusal } from "../web/sessions/refused-steps.ts";
import { peerOf } from "../web/sessions/request-peer.ts";
import type { Refusal } from "../web/sessions/sealed-refusal.ts";
import { orSignIn } from "../web/sessions/session.ts";
import type { Texts } from "../web/texts/en.ts";
import { requestLanguage } from "../web/texts/request-language.ts";
import { TEXTS } from "../web/texts/texts.ts";

const NEXT = "delete";
const DELETION_FORM = "delete account";

/** `GET /account/delete` */
export async function showDeletion(c: AuthContext, dependencies: AuthDependencies) {
  const { account, sessionToken } = await requirePasskeySession(c, dependencies, NEXT);
  const language = requestLanguage(c.env.incoming);
  const refusal = shownRefusal(c, dependencies, sessionToken);
  const error = refusal && (failureText(refusal, language) ?? problemText(refusal, TEXTS[language]));
  const isSure = refusal?.values["sure"] === "yes";
  return showPage(c, deletionPage({ sessionToken, email: account.email, error, isSure }, language));
}

function problemText({ problem, values }: Refusal, { deletion }: Texts): string {
  return problem === "tick" ? deletion.tick : fill(deletion.notYet, { reason: values["reason"] ?? "" });
}

function stepOf(secret: string) {
  return { secret, address: AUTH_PATHS.deleteAccount };
}

/** `POST /account/delete` */
export async function deleteAccount(c: AuthContext, dependencies: AuthDependencies) {
  const { clients, cookies } = dependencies;
  const { form } = await sessionForm(c, dependencies, DELETION_FORM, NEXT, ["sure"]);
  const { sessionToken } = await requirePasskeySession(c, dependencies, NEXT);
  const refuse = (refusal: Refusal) => redirectRefused(c, dependencies, stepOf(sessionToken), refusal);
  if (form.text("sure") !== "yes") return refuse({ problem: "tick", values: {} });
  try {
    await orSignIn(() => clients.accounts.deleteAccount({ sessionToken, peer: peerOf(c, dependencies) }), NEXT);
  } catch (error) {
    // The sign-in is recent, so the refusal means that the account is still needed.
    if (!isRefused(error, Code.FailedPrecondition)) throw error;
    return refuse({ problem: "notYet", values: { reason: ConnectError.from(error).rawMessage } });
  }
  cookies.clearSession(c);
  cookies.clearKnownBrowser(c);
  return c.redirect(`${AUTH_PATHS.signedOut}?deleted=1`, 303);
}

interface DeletionView {
  readonly sessionToken: string;
  readonly email: string;
  readonly error: string | undefined;
  /** Whether the user has ticked the box before. */
  readonly isSure: boolean;
}

/** Returns the page that asks to confirm the deletion of the account. */
function deletionPage({ sessionToken, email, error, isSure }: DeletionView, language: Language): Page {
  const texts = TEXTS[language];
  const { deletion } = texts;
  const { title } = deletion;
  const address = html`<strong><bdi>${email}</bdi></strong>`;
  return {
    title: titleWith(title, error, texts),
    language,
    address: AUTH_PATHS.deleteAccount,
    status: error === undefined ? 200 : 422,
    content: html`${errorSummary(error, undefined, texts)}
<h1>${title}</h1>
<p>${fillHtml(deletion.text, { address })}</p>
<ul><li>${deletion.signedOut}</li><li>${deletion.noAccess}</li>
<li>${deletion.anew}</li></ul>
<form method="post" action="${AUTH_PATHS.deleteAccount}">
${hiddenFields(DELETION_FORM, sessionToken)}
<p class="tick"><input type="checkbox" id="sure" name="sure" value="yes"${isSure && " checked"} required><label for="sure">${deletion.sure}</label></p>
<div class="actions"><button class="danger">${deletion.delete}</button><a class="button secondary" href="${AUTH_PATHS.account}">${deletion.keep}</a></div>
</form>`,
  };
}
