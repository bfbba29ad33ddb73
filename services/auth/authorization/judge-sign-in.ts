import type { AuthContext } from "../base/context.ts";
import type { Session } from "../sessions/session.ts";
import { findSubject } from "../signed-tokens/subjects-store.ts";
import { judgeSession } from "./authorization-decision.ts";
import type { AuthorizationRequest, ReturnTarget } from "./authorization-request.ts";

/** A request in a browser. */
export interface RequestInBrowser<SessionRead extends Session = Session> {
  readonly request: AuthorizationRequest;
  readonly target: ReturnTarget;
  readonly session: SessionRead | undefined;
  /** The account with which the user has chosen to go on. */
  readonly chosenAccountUuid?: string | undefined;
}

/** The verdict on the session of a browser, with the session. */
export type SignInVerdict<SessionRead extends Session = Session> =
  | { readonly kind: "fit"; readonly session: SessionRead }
  | UnfitVerdict;

/** The verdict on a session with which the request can't go on now. */
export type UnfitVerdict =
  | { readonly kind: "choose_account"; readonly session: Session }
  | { readonly kind: "sign_in" | "wrong_user" };

/** Judges the session of a browser for a request. It takes a statement only if the request names a user. */
export async function judgeSignIn<SessionRead extends Session>(
  { database }: AuthContext,
  { request, target, session, chosenAccountUuid }: RequestInBrowser<SessionRead>,
  nowMs: bigint,
): Promise<SignInVerdict<SessionRead>> {
  if (session === undefined) return { kind: "sign_in" };
  const { accountUuid } = session;
  const user = { accountUuid, saleUuid: target.client.saleUuid };
  const isNamed = request.hintedSubject !== undefined;
  const subject = isNamed ? await database.read((query) => findSubject(query, user)) : undefined;
  const chosen = chosenAccountUuid === accountUuid;
  return { kind: judgeSession(request, { session, subject, chosen }, nowMs), session };
}
