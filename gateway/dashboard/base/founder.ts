import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import type { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import { ACTOR_HEADER } from "../../../common/platform/rpc/identity/actor.ts";
import { AUTH_AUDIENCE, COMMITMENTS_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { RECENT_SIGN_IN_MS } from "../../web/lifetimes.ts";
import { PageError } from "../../web/pages/page-error.ts";
import { DASHBOARD_PATH } from "../../web/sessions/auth-paths.ts";
import { signInRulesOf } from "../../web/sessions/passkey-session.ts";
import { type CurrentSession, orSignIn, requireSession, SignInRequired } from "../../web/sessions/session.ts";
import type { DashboardDependencies } from "./dashboard-dependencies.ts";
import type { Founder, FounderSale } from "./founder-sale.ts";
import { isPasskeyMissing, passkeyNeeded, SALE_DEMAND } from "./passkey-needed.ts";
import { saleMenu } from "./sale-menu.ts";
import { SALES_LINK } from "./sales-link.ts";

export type { Founder, FounderSale } from "./founder-sale.ts";

/** Returns the signed-in user. @throws SignInRequired, which leads back to `next` */
export async function founderOf(c: AuthContext, dependencies: DashboardDependencies, next: string): Promise<Founder> {
  const found = await requireSession(c, dependencies, next);
  const { sessionToken } = found;
  const tokenFor = (audience: string) =>
    orSignIn(() => dependencies.clients.accounts.issueActorToken({ sessionToken, audience }), next);
  const [commitments, auth] = await Promise.all([tokenFor(COMMITMENTS_AUDIENCE), tokenFor(AUTH_AUDIENCE)]);
  return {
    ...found,
    atCommitments: { headers: { [ACTOR_HEADER]: commitments.actorToken } },
    atAuth: { headers: { [ACTOR_HEADER]: auth.actorToken } },
    isRecent: isRecentSession(found),
  };
}

/** Whether a sign-in is recent enough for important changes. @param leftMs time for which it must stay so, in milliseconds */
export function isRecentSession({ session: { authenticatedAt } }: CurrentSession, leftMs = 0): boolean {
  return authenticatedAt !== undefined && Date.now() - timestampMs(authenticatedAt) < RECENT_SIGN_IN_MS - leftMs;
}

/**
 * Returns the sale that a page's path names, and gives the page the menu of that sale and its progress.
 *
 * @throws PageError 404 for a sale that doesn't exist or has no such member, 403 for one that requires a passkey;
 *   SignInRequired
 */
export async function founderSaleOf(
  c: AuthContext,
  dependencies: DashboardDependencies,
  next = c.req.path,
): Promise<FounderSale> {
  const founder = await founderOf(c, dependencies, next);
  const saleUuid = parseUuid(c.req.param("sale") ?? "");
  if (saleUuid === undefined) throw saleMissing();
  const { dashboard, clients } = dependencies;
  const read = () =>
    Promise.all([
      dashboard.sales.getSale({ saleUuid }, founder.atCommitments),
      clients.memberships.listMembers({ saleUuid }, founder.atAuth),
    ]);
  const [{ sale }, { members, passkeysRequired }] = await permitted(() =>
    orPasskeyNeeded(read, dependencies, founder, next),
  );
  if (sale?.definition === undefined) throw new TypeError("GetSaleResponse is incomplete");
  const role = members.find(({ accountUuid }) => accountUuid === founder.account.uuid)?.role ?? Role.VIEWER;
  const hasTakingPart = dependencies.entitiesUpstream !== undefined;
  const found = { founder, sale, members, role, passkeysRequired };
  c.set("menu", saleMenu({ sale, role, hasTakingPart }, c.req.path));
  c.set("progress", () => dashboard.saleProgress(found, dependencies, c.req.path));
  return found;
}

/** Returns the result of a call. @throws PageError 403 where the sale requires a passkey that the user didn't sign in with */
async function orPasskeyNeeded<Result>(
  call: () => Promise<Result>,
  dependencies: DashboardDependencies,
  { sessionToken }: Founder,
  next: string,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!isPasskeyMissing(error)) throw error;
    const rules = await orSignIn(() => signInRulesOf(dependencies, sessionToken), next);
    throw passkeyNeeded(SALE_DEMAND, (rules?.passkeys ?? 0) > 0, next);
  }
}

/** Requires a recent sign-in. @throws SignInRequired */
export function requireRecent({ isRecent }: Pick<Founder, "isRecent">, next: string): void {
  if (!isRecent) throw new SignInRequired(next, true);
}

/**
 * Requires a role for a page. The auth service refuses a lower one, and records the attempt.
 *
 * @throws PageError 403
 */
export async function requireRoleFor(
  { founder, sale, role }: FounderSale,
  needed: Role,
  { clients }: Pick<DashboardDependencies, "clients">,
): Promise<void> {
  if (role >= needed) return;
  const request = { saleUuid: sale.uuid, role: needed };
  const unknown = (error: unknown) => {
    // An auth service of the version before has no such check.
    if (ConnectError.from(error).code === Code.Unimplemented) throw roleTooLow();
    throw error;
  };
  await permitted(() => clients.memberships.checkRole(request, founder.atAuth).catch(unknown));
}

export function saleMissing(): PageError {
  return new PageError(
    404,
    ({ dashboard }) => dashboard.base.missingTitle,
    ({ dashboard }) => dashboard.base.missingText,
    { link: SALES_LINK },
  );
}

function roleTooLow(): PageError {
  return new PageError(
    403,
    ({ dashboard }) => dashboard.base.roleTitle,
    ({ dashboard }) => dashboard.base.roleText,
    { link: SALES_LINK },
  );
}

/** Returns the result of a call. @throws PageError `missing` for an object that the user may not see, or 403 */
export async function permitted<Result>(call: () => Promise<Result>, missing = saleMissing): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    // The rule was made after the page was read.
    if (isPasskeyMissing(error)) throw passkeyNeeded(SALE_DEMAND, true, DASHBOARD_PATH);
    const code = toServiceError(error)?.code;
    if (code === "not_found") throw missing();
    if (code === "permission_denied") throw roleTooLow();
    throw error;
  }
}

const SHOWN: ReadonlySet<ServiceError["code"]> = new Set([
  "invalid_argument",
  "failed_precondition",
  "already_exists",
  "aborted",
  "resource_exhausted",
]);

/**
 * Returns the result of a call, or the service's refusal of the form's values.
 *
 * @param alsoShown codes that are refusals of this call, too
 * @throws as `permitted` does
 */
export async function resultOrRefusal<Result>(
  call: () => Promise<Result>,
  alsoShown: readonly ServiceError["code"][] = [],
): Promise<{ readonly done: Result } | { readonly refusal: ServiceError }> {
  try {
    return { done: await permitted(call) };
  } catch (error) {
    const refusal = toServiceError(error);
    if (refusal !== undefined && (SHOWN.has(refusal.code) || alsoShown.includes(refusal.code))) return { refusal };
    throw error;
  }
}
