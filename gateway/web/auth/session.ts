import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import type { Account, Session } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../http/hono-context.ts";
import type { AuthDependencies } from "./auth-dependencies.ts";
import { isRefused } from "./auth-failure.ts";
import { AUTH_PATHS } from "./auth-paths.ts";

/** Pages of the account that a sign-in can lead back to, by what stands for them in its forms. */
const NEXT_PATHS: Readonly<Record<string, string>> = {
  email: AUTH_PATHS.email,
  delete: AUTH_PATHS.deleteAccount,
};
/** A page of the dashboard, with at most one entry to show again. */
const DASHBOARD_PAGE = /^\/dashboard(?:\/[a-z0-9-]{1,64}){0,5}(?:\?[a-z_]{1,20}=[A-Za-z0-9%._~*+-]{1,3072})?$/;

/** Where a sign-in leads on to; undefined for the account itself, and for whatever no page of ours has asked for. */
export function nextPath(next: string): string | undefined {
  if (Object.hasOwn(NEXT_PATHS, next)) return NEXT_PATHS[next];
  return DASHBOARD_PAGE.test(next) ? next : undefined;
}

/** The user must sign in, or do so again. */
export class SignInNeeded extends Error {
  readonly next: string;
  readonly isRepeated: boolean;

  /** @param next what `nextPath` knows; empty for the account itself */
  constructor(next: string, isRepeated: boolean) {
    super("sign-in needed");
    this.name = "SignInNeeded";
    this.next = next;
    this.isRepeated = isRepeated;
  }
}

/** Where a sign-in begins that isn't for an application. */
export function signInUrl({ next, isRepeated }: SignInNeeded): string {
  const query = new URLSearchParams({ ...(next !== "" && { next }), ...(isRepeated && { again: "1" }) });
  return query.size === 0 ? AUTH_PATHS.signIn : `${AUTH_PATHS.signIn}?${query}`;
}

/** The auth service wants a sign-in of the last ten minutes; asked for a minute early, so that there is time to act. */
export const RECENT_MS = 9 * 60_000;

export interface SignedIn {
  readonly sessionToken: string;
  readonly session: Session;
  readonly account: Account;
}

/** Who is signed in. @throws SignInNeeded */
export async function signedIn(c: AuthContext, { clients, cookies }: AuthDependencies, next = ""): Promise<SignedIn> {
  const sessionToken = cookies.sessionToken(c);
  if (sessionToken === undefined) throw new SignInNeeded(next, false);
  const { session, account } = await orSignIn(() => clients.accounts.getSession({ sessionToken }), next);
  if (session === undefined || account === undefined) throw new TypeError("GetSessionResponse is incomplete");
  return { sessionToken, session, account };
}

/** Who has signed in recently enough to change what matters. @throws SignInNeeded */
export async function recentlySignedIn(
  c: AuthContext,
  dependencies: AuthDependencies,
  next: string,
): Promise<SignedIn> {
  const found = await signedIn(c, dependencies, next);
  const { authenticatedAt } = found.session;
  const isRecent = authenticatedAt !== undefined && Date.now() - timestampMs(authenticatedAt) < RECENT_MS;
  if (!isRecent) throw new SignInNeeded(next, true);
  return found;
}

/** What a call returns. @throws SignInNeeded where the session is over */
export async function orSignIn<Result>(call: () => Promise<Result>, next = ""): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (isRefused(error, Code.Unauthenticated)) throw new SignInNeeded(next, false);
    throw error;
  }
}
