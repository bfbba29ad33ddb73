import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import type { Account, Session } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../http/hono-context.ts";
import { RECENT_SIGN_IN_MS } from "../lifetimes.ts";
import type { AuthDependencies } from "./auth-dependencies.ts";
import { isRefused } from "./auth-failure.ts";
import { AUTH_PATHS } from "./auth-paths.ts";

/** Pages of the account that a sign-in can lead back to, by their name in its forms. */
const NEXT_PATHS: Readonly<Record<string, string>> = {
  email: AUTH_PATHS.email,
  passkeys: AUTH_PATHS.passkeys,
  data: AUTH_PATHS.data,
  delete: AUTH_PATHS.deleteAccount,
  recovery: AUTH_PATHS.recovery,
  "passkey-rule": AUTH_PATHS.passkeyRule,
};
/** A page of the dashboard, with at most one query parameter. */
const DASHBOARD_PAGE = /^\/dashboard(?:\/[a-z0-9-]{1,64}){0,6}(?:\?[a-z_]{1,20}=[A-Za-z0-9%._~*+-]{1,3072})?$/;
/** A page of the account about an entity. */
const ENTITY_PAGE =
  /^\/account\/(?:liveness\?sale=[0-9a-f-]{36}&entity=[0-9a-f-]{36}|entities(?:\/[a-z0-9-]{1,64}){1,2})$/;

/**
 * Returns the path that a sign-in leads to; undefined for the account itself, and for text that no page of Tidemark
 * sends.
 */
export function nextPath(next: string): string | undefined {
  if (Object.hasOwn(NEXT_PATHS, next)) return NEXT_PATHS[next];
  return DASHBOARD_PAGE.test(next) || ENTITY_PAGE.test(next) ? next : undefined;
}

/** Thrown when a page needs a session, or a more recent sign-in; the caller redirects to sign-in. */
export class SignInRequired extends Error {
  readonly next: string;
  readonly isRepeated: boolean;
  /** Whether it must be with a passkey. */
  readonly needsPasskey: boolean;

  /** @param next page to return to, as `nextPath` knows it; empty for the account itself */
  constructor(next: string, isRepeated: boolean, needsPasskey = false) {
    super("sign-in required");
    this.name = "SignInRequired";
    this.next = next;
    this.isRepeated = isRepeated;
    this.needsPasskey = needsPasskey;
  }
}

/** Returns the address of a sign-in that no application asked for. */
export function signInUrl({
  next,
  isRepeated,
  needsPasskey = false,
}: Pick<SignInRequired, "next" | "isRepeated"> & { readonly needsPasskey?: boolean }): string {
  const query = new URLSearchParams({
    ...(next !== "" && { next }),
    ...(isRepeated && { again: "1" }),
    ...(needsPasskey && { passkey: "1" }),
  });
  return query.size === 0 ? AUTH_PATHS.signIn : `${AUTH_PATHS.signIn}?${query}`;
}

export interface CurrentSession {
  readonly sessionToken: string;
  readonly session: Session;
  readonly account: Account;
}

/** Returns the session and account of the browser. @throws SignInRequired */
export async function requireSession(
  c: AuthContext,
  { clients, cookies }: AuthDependencies,
  next = "",
): Promise<CurrentSession> {
  const sessionToken = cookies.sessionToken(c);
  if (sessionToken === undefined) throw new SignInRequired(next, false);
  const { session, account } = await orSignIn(() => clients.accounts.getSession({ sessionToken }), next);
  if (session === undefined || account === undefined) throw new TypeError("GetSessionResponse is incomplete");
  return { sessionToken, session, account };
}

/** Returns the session and account of a user who signed in recently, for important changes. @throws SignInRequired */
export async function requireRecentSession(
  c: AuthContext,
  dependencies: AuthDependencies,
  next: string,
): Promise<CurrentSession> {
  const current = await requireSession(c, dependencies, next);
  const { authenticatedAt } = current.session;
  const isRecent = authenticatedAt !== undefined && Date.now() - timestampMs(authenticatedAt) < RECENT_SIGN_IN_MS;
  if (!isRecent) throw new SignInRequired(next, true);
  return current;
}

/** Whether the browser's user signed in recently. */
export async function hasRecentSession(c: AuthContext, dependencies: AuthDependencies): Promise<boolean> {
  try {
    await requireRecentSession(c, dependencies, "");
    return true;
  } catch (error) {
    if (error instanceof SignInRequired) return false;
    throw error;
  }
}

/** Returns the result of a call. @throws SignInRequired where the session has ended */
export async function orSignIn<Result>(call: () => Promise<Result>, next = ""): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (isRefused(error, Code.Unauthenticated)) throw new SignInRequired(next, false);
    throw error;
  }
}
