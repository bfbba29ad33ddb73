import { Code } from "@connectrpc/connect";
import { AuthenticationMethod } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { startSession } from "../../sign-in/start-session.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { failureText } from "../../web/pages/failure.ts";
import { guardedForm, showAgainLink } from "../../web/pages/form-guard.ts";
import { showPage } from "../../web/pages/layout.ts";
import { type PageForm, uuidField } from "../../web/pages/page-form.ts";
import { sessionForm } from "../../web/pages/session-form.ts";
import type { AuthDependencies } from "../../web/sessions/auth-dependencies.ts";
import { isRefused } from "../../web/sessions/auth-failure.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import { noteForm, redirectRefused, shownRefusal } from "../../web/sessions/refused-steps.ts";
import { peerOf } from "../../web/sessions/request-peer.ts";
import { orSignIn, requireRecentSession, requireSession, SignInRequired } from "../../web/sessions/session.ts";
import { requestLanguage } from "../../web/texts/request-language.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import { accountUrl } from "../base/account-url.ts";
import {
  RECOVERY_CHANGES,
  RECOVERY_FORM,
  RECOVERY_STEPS,
  type RecoveryChange,
  type RecoveryView,
  recoveryPage,
} from "./recovery-page.ts";

const NEXT = "recovery";

/** A user who may see and recover an account, with the page that this is done on. */
type RecoveringUser = Pick<RecoveryView, "address" | "secret" | "method">;

/** `GET /account/recovery`: for users with a session. */
export async function showRecovery(c: AuthContext, dependencies: AuthDependencies) {
  const { sessionToken, session } = await requireSession(c, dependencies, NEXT);
  return show(c, dependencies, userOfSession(sessionToken, session.authenticatedBy));
}

/** `POST /account/recovery` */
export async function changeRecovery(c: AuthContext, dependencies: AuthDependencies) {
  const { form } = await sessionForm(c, dependencies, RECOVERY_FORM, NEXT);
  // To stop a recovery, any session will do.
  const find = form.text("step") === "stop" ? requireSession : requireRecentSession;
  const { sessionToken, session } = await find(c, dependencies, NEXT);
  return take(c, dependencies, userOfSession(sessionToken, session.authenticatedBy), form);
}

/** `GET /sign-in/recovery`: for users whose code was correct, but doesn't sign them in. */
export async function showRecoveryByPass(c: AuthContext, dependencies: AuthDependencies) {
  return show(c, dependencies, userOfPass(c, dependencies));
}

/** `POST /sign-in/recovery` */
export async function changeRecoveryByPass(c: AuthContext, dependencies: AuthDependencies) {
  const secret = dependencies.cookies.recoveryPass(c);
  const link = () => showAgainLink(AUTH_PATHS.recoveryByPass);
  const form = await guardedForm(c, dependencies, { purpose: RECOVERY_FORM, secret, link, ended: codeNeeded });
  noteForm(c, { address: AUTH_PATHS.recoveryByPass, secret, values: {} });
  return take(c, dependencies, userOfPass(c, dependencies), form);
}

function userOfSession(secret: string, method: AuthenticationMethod): RecoveringUser {
  return { address: AUTH_PATHS.recovery, secret, method };
}

/** @throws SignInRequired where the browser has no pass, which leads to another code */
function userOfPass(c: AuthContext, { cookies }: AuthDependencies): RecoveringUser {
  const secret = cookies.recoveryPass(c);
  if (secret === undefined) throw codeNeeded();
  return { address: AUTH_PATHS.recoveryByPass, secret, method: AuthenticationMethod.CODE };
}

function proofOf({ address, secret }: RecoveringUser) {
  const kind = address === AUTH_PATHS.recovery ? "sessionToken" : "recoveryPass";
  return { proof: { proof: { case: kind, value: secret } } } as const;
}

async function show(c: AuthContext, dependencies: AuthDependencies, user: RecoveringUser) {
  const rules = await orProof(user, () => dependencies.clients.accounts.getSignInRules(proofOf(user)));
  const language = requestLanguage(c.env.incoming);
  const refusal = shownRefusal(c, dependencies, user.secret);
  const error = refusal && (failureText(refusal, language) ?? TEXTS[language].recovery.notYet);
  const shown = error === undefined ? shownDone(c) : { error };
  return showPage(c, recoveryPage({ ...user, ...shown, rules }, language));
}

async function take(c: AuthContext, dependencies: AuthDependencies, user: RecoveringUser, form: PageForm) {
  const step = RECOVERY_STEPS.find((one) => one === form.text("step"));
  switch (step) {
    case "begin":
      return begin(c, dependencies, user);
    case "stop":
      return stop(c, dependencies, user, uuidField(form, "recovery"));
    case "complete":
      return complete(c, dependencies, user, uuidField(form, "recovery"));
    case undefined:
      return c.redirect(user.address, 303);
  }
}

async function begin(c: AuthContext, dependencies: AuthDependencies, user: RecoveringUser) {
  const request = { ...proofOf(user), peer: peerOf(c, dependencies) };
  try {
    await orProof(user, () => dependencies.clients.accounts.beginRecovery(request));
  } catch (error) {
    // The passkeys are gone meanwhile, which the page says.
    if (!isRefused(error, Code.FailedPrecondition)) throw error;
    return c.redirect(user.address, 303);
  }
  return c.redirect(doneUrl(user, "begun"), 303);
}

async function stop(c: AuthContext, dependencies: AuthDependencies, user: RecoveringUser, recoveryUuid: string) {
  const request = { ...proofOf(user), recoveryUuid, peer: peerOf(c, dependencies) };
  try {
    await orProof(user, () => dependencies.clients.accounts.stopRecovery(request));
  } catch (error) {
    // The operator has begun another one meanwhile, which the page says.
    if (isRefused(error, Code.FailedPrecondition)) return c.redirect(user.address, 303);
    if (!isRefused(error, Code.NotFound)) throw error;
  }
  return c.redirect(doneUrl(user, "stopped"), 303);
}

async function complete(c: AuthContext, dependencies: AuthDependencies, user: RecoveringUser, recoveryUuid: string) {
  const request = { ...proofOf(user), recoveryUuid, peer: peerOf(c, dependencies) };
  try {
    const answer = await orProof(user, () => dependencies.clients.accounts.completeRecovery(request));
    dependencies.cookies.clearRecoveryPass(c);
    startSession(c, dependencies, { ...answer, knownBrowser: "" });
  } catch (error) {
    if (!isRefused(error, Code.FailedPrecondition)) throw error;
    return redirectRefused(c, dependencies, user, { problem: "notYet", values: {} });
  }
  return c.redirect(accountUrl("recovered"), 303);
}

/** Returns the result of a call. @throws SignInRequired where the session or the pass has ended */
async function orProof<Result>({ address }: RecoveringUser, call: () => Promise<Result>): Promise<Result> {
  if (address === AUTH_PATHS.recovery) return orSignIn(call, NEXT);
  try {
    return await call();
  } catch (error) {
    if (isRefused(error, Code.Unauthenticated)) throw codeNeeded();
    throw error;
  }
}

/** Leads to another code. A session that the browser has, of whichever account, stays. */
function codeNeeded(): SignInRequired {
  return new SignInRequired("", true);
}

function shownDone(c: AuthContext): Pick<RecoveryView, "done"> {
  return { done: RECOVERY_CHANGES.find((change) => change === c.req.query("done")) };
}

function doneUrl({ address }: RecoveringUser, done: RecoveryChange): string {
  return `${address}?${new URLSearchParams({ done })}`;
}
