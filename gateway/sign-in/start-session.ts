import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { CompleteSignInResponse } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import type { PageForm } from "../web/pages/page-form.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import { nextPath } from "../web/sessions/session.ts";
import { authorizationUrl } from "./authorization-step.ts";
import type { SignInPurpose } from "./sign-in-page.ts";

/** Sets the cookies of somebody who has signed in. */
export function startSession(
  c: AuthContext,
  { cookies }: AuthDependencies,
  { sessionToken, session, knownBrowser }: Pick<CompleteSignInResponse, "sessionToken" | "session" | "knownBrowser">,
): void {
  const expiresAt = session?.expiresAt;
  if (expiresAt === undefined) throw new TypeError("the session of the response is incomplete");
  cookies.setSession(c, sessionToken, Math.max(0, Math.floor((timestampMs(expiresAt) - Date.now()) / 1000)));
  cookies.setKnownBrowser(c, knownBrowser);
  cookies.clearPendingSignIn(c);
  cookies.clearRefusals(c);
}

/** The purpose of a sign-in without the application, as its forms and addresses carry it. */
export type CarriedPurpose = Pick<SignInPurpose, "authorization" | "next">;

/** Reads the purpose that a form carries. */
export function purposeOf(form: PageForm): CarriedPurpose {
  return { authorization: form.text("authorization"), next: knownNext(form.text("next")) };
}

/** Returns the page that a sign-in leads to if `nextPath` knows it; else an empty text. */
export function knownNext(next: string): string {
  return nextPath(next) === undefined ? "" : next;
}

/** Returns the address that a sign-in leads to. */
export function targetOf({ authorization, next }: CarriedPurpose): string {
  return authorization === "" ? (nextPath(next) ?? AUTH_PATHS.account) : authorizationUrl(authorization);
}
