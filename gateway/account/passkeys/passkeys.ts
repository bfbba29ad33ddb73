import { Code } from "@connectrpc/connect";
import type { Language } from "../../../common/platform/language/language.ts";
import {
  AuthenticationMethod,
  type Passkey,
  PasskeyResult,
} from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { authorizationUrl } from "../../sign-in/authorization-step.ts";
import { ADD_PASSKEY_FORM, offerAddress, refuseOffered } from "../../sign-in/offer.ts";
import { type PasskeyProblem, passkeyProblem, passkeyProblemText } from "../../sign-in/passkey-problem.ts";
import { answerQuestion } from "../../sign-in/passkey-sign-in.ts";
import { purposeOf, targetOf } from "../../sign-in/start-session.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { failureText } from "../../web/pages/failure.ts";
import { showPage } from "../../web/pages/layout.ts";
import { type KeptFields, type PageForm, uuidField } from "../../web/pages/page-form.ts";
import { sessionForm } from "../../web/pages/session-form.ts";
import type { AuthDependencies } from "../../web/sessions/auth-dependencies.ts";
import { isRefused } from "../../web/sessions/auth-failure.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import { requirePasskeySession } from "../../web/sessions/passkey-session.ts";
import { noteForm, redirectRefused, shownRefusal } from "../../web/sessions/refused-steps.ts";
import { peerOf } from "../../web/sessions/request-peer.ts";
import type { Refusal } from "../../web/sessions/sealed-refusal.ts";
import { orSignIn, SignInRequired } from "../../web/sessions/session.ts";
import { requestLanguage } from "../../web/texts/request-language.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import { accountUrl } from "../base/account-url.ts";
import {
  PASSKEY_CHANGES,
  type PasskeyChange,
  type PasskeysView,
  passkeysPage,
  REMOVE_PASSKEY_FORM,
  RENAME_PASSKEY_FORM,
} from "./passkeys-page.ts";

const NEXT = "passkeys";
/** Name of the problem with a name that is refused. */
const BAD_NAME = "badName";
/** Bound of the contract. */
const MAX_NAME_CHARACTERS = 256;

/** `GET /account/passkeys` */
export async function showPasskeys(c: AuthContext, dependencies: AuthDependencies) {
  const { sessionToken } = await requirePasskeySession(c, dependencies, NEXT);
  const done = PASSKEY_CHANGES.find((change) => change === c.req.query("done"));
  const language = requestLanguage(c.env.incoming);
  const refusal = shownRefusal(c, dependencies, sessionToken);
  const shown = refusal ? refusedView(refusal, language) : done && { done };
  const { accounts } = dependencies.clients;
  const { passkeys, maxPasskeys } = await orSignIn(() => accounts.listPasskeys({ sessionToken }), NEXT);
  return showPage(c, passkeysPage({ sessionToken, passkeys, maxPasskeys, ...shown }, language));
}

/** Returns what the page shows of a refused form. */
function refusedView(refusal: Refusal, language: Language): Pick<PasskeysView, "error" | "entered"> {
  const { problem, values } = refusal;
  const { name = "", passkey: passkeyUuid } = values;
  const isRefused = problem === BAD_NAME;
  const texts = TEXTS[language];
  const error = isRefused
    ? texts.passkeys.badName
    : (failureText(refusal, language) ?? passkeyProblemText(problem, texts) ?? "");
  return { error, entered: { name, isRefused, ...(passkeyUuid && { passkeyUuid }) } };
}

function refuse(c: AuthContext, dependencies: AuthDependencies, secret: string, refusal: Refusal) {
  return redirectRefused(c, dependencies, { address: AUTH_PATHS.passkeys, secret }, refusal);
}

/** `POST /account/passkeys/question`: what the page's script asks the authenticator. */
export function askForPasskey(c: AuthContext, dependencies: AuthDependencies) {
  return withAdditionForm(c, dependencies, "script", async ({ sessionToken }) => {
    const browserToken = dependencies.cookies.ensureBrowserToken(c);
    const request = { sessionToken, browserToken };
    const { optionsJson } = await orSignIn(() => dependencies.clients.accounts.beginPasskeyAddition(request), NEXT);
    return answerQuestion(c, optionsJson);
  });
}

/** `POST /account/passkeys`: adds a passkey, on the page of all or on the one that offers the first. */
export function addPasskey(c: AuthContext, dependencies: AuthDependencies) {
  return withAdditionForm(c, dependencies, ["name"], ({ form, sessionToken: secret }) => {
    if (isOfOffer(form)) noteForm(c, { address: offerAddress(purposeOf(form)), secret, values: {} });
    return addPasskeyOf(form, c, dependencies);
  });
}

/**
 * Does the work of a form that adds a passkey. Where the session has ended and the form belongs to an authorization, as the offer's
 * can, that asks for the sign-in and leads to the application.
 */
async function withAdditionForm(
  c: AuthContext,
  dependencies: AuthDependencies,
  kept: KeptFields,
  work: (sent: Awaited<ReturnType<typeof sessionForm>>) => Promise<Response>,
): Promise<Response> {
  let authorization = "";
  const nextOf = (form: PageForm) => {
    authorization = form.text("authorization");
    return NEXT;
  };
  try {
    const sent = await sessionForm(c, dependencies, ADD_PASSKEY_FORM, nextOf, kept);
    authorization = sent.form.text("authorization");
    return await work(sent);
  } catch (error) {
    const isEnded = error instanceof SignInRequired && !error.isRepeated;
    if (!isEnded || authorization === "") throw error;
    dependencies.cookies.clearSession(c);
    return c.redirect(authorizationUrl(authorization), 303);
  }
}

async function addPasskeyOf(form: PageForm, c: AuthContext, dependencies: AuthDependencies): Promise<Response> {
  const { sessionToken, session } = await requirePasskeySession(c, dependencies, NEXT);
  const name = enteredName(form);
  const request = {
    sessionToken,
    browserToken: dependencies.cookies.ensureBrowserToken(c),
    credentialJson: form.text("credential"),
    name,
    peer: peerOf(c, dependencies),
  };
  const add = async () => (await dependencies.clients.accounts.completePasskeyAddition(request)).result;
  const outcome = await orNameRefused(() => orSignIn(add, NEXT));
  const isOffered = isOfOffer(form);
  const purpose = purposeOf(form);
  if (outcome === PasskeyResult.ACCEPTED) {
    // From now on the list wants a sign-in with the passkey, so the first one is confirmed on the page of the account.
    const isFirst = session.authenticatedBy !== AuthenticationMethod.PASSKEY;
    const confirmed = isFirst ? accountUrl("passkey-added") : listUrl("added");
    const target = targetOf(purpose);
    return c.redirect(isOffered && target !== AUTH_PATHS.account ? target : confirmed, 303);
  }
  const problem = outcome === BAD_NAME ? outcome : passkeyProblem(outcome);
  // The offer asks for no name.
  if (isOffered && problem !== BAD_NAME) return refuseOffered(c, dependencies, { sessionToken, ...purpose }, problem);
  return refuse(c, dependencies, sessionToken, { problem, values: { name } });
}

/** Whether the form is that of the page which offers a passkey. */
function isOfOffer(form: PageForm): boolean {
  return form.text("offered") === "yes";
}

/** `POST /account/passkeys/rename` */
export async function renamePasskey(c: AuthContext, dependencies: AuthDependencies) {
  const { form } = await sessionForm(c, dependencies, RENAME_PASSKEY_FORM, NEXT, ["name", "passkey"]);
  const { sessionToken } = await requirePasskeySession(c, dependencies, NEXT);
  const [passkeyUuid, name] = [uuidField(form, "passkey"), enteredName(form)];
  const request = { sessionToken, passkeyUuid, name };
  const rename = () => orSignIn(() => dependencies.clients.accounts.renamePasskey(request), NEXT);
  const outcome = await orNameRefused(() => orGone(rename));
  if (outcome === BAD_NAME) {
    return refuse(c, dependencies, sessionToken, { problem: BAD_NAME, values: { name, passkey: passkeyUuid } });
  }
  return c.redirect(listUrl("renamed"), 303);
}

/** `POST /account/passkeys/remove` */
export async function removePasskey(c: AuthContext, dependencies: AuthDependencies) {
  const { form } = await sessionForm(c, dependencies, REMOVE_PASSKEY_FORM, NEXT);
  const { sessionToken } = await requirePasskeySession(c, dependencies, NEXT);
  const request = { sessionToken, passkeyUuid: uuidField(form, "passkey"), peer: peerOf(c, dependencies) };
  try {
    await orGone(() => orSignIn(() => dependencies.clients.accounts.removePasskey(request), NEXT));
  } catch (error) {
    // The sign-in is recent and with a passkey, so the refusal means that the last one is still needed.
    if (!isRefused(error, Code.FailedPrecondition)) throw error;
    const problem: PasskeyProblem = "stillNeeded";
    return refuse(c, dependencies, sessionToken, { problem, values: {} });
  }
  return c.redirect(listUrl("removed"), 303);
}

/** Returns the account's passkeys; undefined where the auth service is of a version without them. */
export async function passkeysOf(
  { clients }: Pick<AuthDependencies, "clients">,
  sessionToken: string,
): Promise<readonly Passkey[] | undefined> {
  try {
    return (await clients.accounts.listPasskeys({ sessionToken })).passkeys;
  } catch (error) {
    if (isRefused(error, Code.Unimplemented)) return undefined;
    throw error;
  }
}

function listUrl(done: PasskeyChange): string {
  return `${AUTH_PATHS.passkeys}?${new URLSearchParams({ done })}`;
}

/** Returns the entered name. One that is too long for the contract is cut, and refused all the same. */
function enteredName(form: PageForm): string {
  return form.text("name").trim().slice(0, MAX_NAME_CHARACTERS);
}

/** Returns the result of a call, or that the service refuses the entered name. */
async function orNameRefused<Result>(call: () => Promise<Result>): Promise<Result | typeof BAD_NAME> {
  try {
    return await call();
  } catch (error) {
    if (isRefused(error, Code.InvalidArgument)) return BAD_NAME;
    throw error;
  }
}

/** Runs a call about a passkey; one that is gone already counts as success. */
async function orGone(call: () => Promise<unknown>): Promise<undefined> {
  try {
    await call();
  } catch (error) {
    if (!isRefused(error, Code.NotFound)) throw error;
  }
}
