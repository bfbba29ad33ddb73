import { Code } from "@connectrpc/connect";
import type { AuthorizationStep } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { authorizationUrl, currentStep, followStep } from "../sign-in/authorization-step.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { failureText } from "../web/pages/failure.ts";
import { formOfOwnPage, showAgainLink } from "../web/pages/form-guard.ts";
import { FORM_TOKEN_FIELD, isFormToken, type PageForm, pageForm } from "../web/pages/page-form.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { isRefused } from "../web/sessions/auth-failure.ts";
import { noteForm, redirectRefused, shownRefusal } from "../web/sessions/refused-steps.ts";
import { peerOf } from "../web/sessions/request-peer.ts";
import { requestLanguage } from "../web/texts/request-language.ts";
import { TEXTS } from "../web/texts/texts.ts";
import { CHOOSE_ACCOUNT_FORM } from "./choose-account-page.ts";
import { CONSENT_FORM } from "./consent-page.ts";
import { saveEntityChoice } from "./entity-choice.ts";
import { type KeptAnswer, keptAnswer, keptValues } from "./kept-answer.ts";

/** Bounds of the contract for what the consent page sends. */
const MAX_SCOPES = 32;
const MAX_SCOPE_CHARACTERS = 64;

/** `POST /oauth/choose-account`: the user goes on with the account of the session. */
export async function chooseAccount(c: AuthContext, dependencies: AuthDependencies) {
  const sent = await answerForm(c, dependencies, CHOOSE_ACCOUNT_FORM);
  if (sent instanceof Response) return sent;
  return followAnswer(c, dependencies, sent, () => dependencies.clients.authorization.chooseAccount(sent.answer));
}

/** `POST /oauth/consent`: the user's answer. */
export async function decideConsent(c: AuthContext, dependencies: AuthDependencies) {
  const sent = await answerForm(c, dependencies, CONSENT_FORM);
  if (sent instanceof Response) return sent;
  const { form, answer } = sent;
  const scopes = form.all("scope");
  const decision = form.text("decision");
  const isKnown = decision === "allow" || decision === "cancel";
  const isTooMuch = scopes.length > MAX_SCOPES || scopes.some((scope) => scope.length > MAX_SCOPE_CHARACTERS);
  if (!isKnown || isTooMuch) return refuse(c, dependencies, form, "notOffered");
  const request = { ...answer, approve: decision === "allow", scopes };
  if (request.approve) await saveChoice(c, dependencies, form, request);
  return followAnswer(c, dependencies, sent, () => dependencies.clients.authorization.decideConsent(request));
}

/** An answer of the user, and what the RPCs about every one take. */
interface SentAnswer {
  readonly form: PageForm;
  readonly answer: Readonly<Record<"authorizationHandle" | "browserToken" | "sessionToken" | "accountUuid", string>> & {
    readonly peer: ReturnType<typeof peerOf>;
  };
}

/**
 * Reads the form of a page of an authorization. Where the session has ended, the answer is the sign-in, after which the page is
 * shown again; where another one has begun, the page at once. A form whose session has ended may still cancel.
 */
async function answerForm(
  c: AuthContext,
  dependencies: AuthDependencies,
  purpose: string,
): Promise<SentAnswer | Response> {
  const { cookies } = dependencies;
  const link = (sent: PageForm) => showAgainLink(authorizationUrl(sent.text("authorization")));
  const form = await formOfOwnPage(c, dependencies, { link }, pageForm);
  const authorizationHandle = form.text("authorization");
  const sessionToken = cookies.sessionToken(c);
  if (sessionToken === undefined) {
    if (form.text("decision") !== "cancel") return c.redirect(authorizationUrl(authorizationHandle), 303);
  } else if (!isFormToken(form.text(FORM_TOKEN_FIELD), purpose, sessionToken)) {
    return refuse(c, dependencies, form, "outdated");
  }
  const secret = cookies.browserToken(c);
  const values = purpose === CONSENT_FORM ? keptValues(form) : {};
  noteForm(c, { address: authorizationUrl(authorizationHandle), secret, values });
  const browserToken = secret ?? "";
  const peer = peerOf(c, dependencies);
  const accountUuid = form.text("account");
  return { form, answer: { authorizationHandle, browserToken, sessionToken: sessionToken ?? "", accountUuid, peer } };
}

/** Follows the step after an answer; one that the auth service can't take is refused. */
async function followAnswer(
  c: AuthContext,
  dependencies: AuthDependencies,
  { form }: SentAnswer,
  call: () => Promise<{ readonly step?: AuthorizationStep | undefined }>,
) {
  try {
    const { step } = await call();
    return followStep(c, step?.step ?? { case: undefined }, form.text("authorization"));
  } catch (error) {
    if (isRefused(error, Code.InvalidArgument)) return refuse(c, dependencies, form, "notOffered");
    throw error;
  }
}

const PROBLEMS = ["outdated", "notOffered"] as const;

function refuse(c: AuthContext, dependencies: AuthDependencies, form: PageForm, problem: (typeof PROBLEMS)[number]) {
  const address = authorizationUrl(form.text("authorization"));
  const secret = dependencies.cookies.ensureBrowserToken(c);
  return redirectRefused(c, dependencies, { secret, address }, { problem, values: {} });
}

/** An answer that wasn't taken, or has failed, for its page to show again. */
export interface RefusedAnswer {
  readonly error?: string | undefined;
  readonly kept?: KeptAnswer;
}

/** Returns the answer that was refused before; nothing without one. */
export function refusedAnswer(c: AuthContext, dependencies: AuthDependencies): RefusedAnswer {
  const refusal = shownRefusal(c, dependencies, dependencies.cookies.browserToken(c) ?? "");
  if (refusal === undefined) return {};
  const language = requestLanguage(c.env.incoming);
  const problem = PROBLEMS.find((name) => name === refusal.problem);
  const failure = failureText(refusal, language);
  if (failure !== undefined) return { error: failure, kept: keptAnswer(refusal.values) };
  return { error: problem && TEXTS[language].authorization[problem] };
}

/** Stores which entities the user leaves out, of the client that the authorization itself names. */
async function saveChoice(
  c: AuthContext,
  dependencies: AuthDependencies,
  form: PageForm,
  {
    authorizationHandle,
    accountUuid,
    sessionToken,
  }: Record<"authorizationHandle" | "accountUuid" | "sessionToken", string>,
): Promise<void> {
  if (dependencies.entitiesUpstream === undefined || form.all("listed").length === 0) return;
  const step = await currentStep(c, dependencies, authorizationHandle, { answering: true });
  // Any other step is answered by the decision itself, which then stores nothing either.
  if (step.case !== "consent" || step.value.accountUuid !== accountUuid) return;
  await saveEntityChoice(step.value, form, dependencies, sessionToken);
}
