import type { HandlerContext } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { type Actor, actorOf } from "../../../common/platform/rpc/identity/actor.ts";
import { callerOf } from "../../../common/platform/rpc/identity/caller.ts";
import { checkRecentSignIn } from "../../../common/platform/rpc/identity/recent-sign-in.ts";
import type { AuthSchema } from "../base/schema.ts";
import { isPasskeyMissing, refusalOfRole, saleNotFound } from "./check-role.ts";
import { readRoles, roleOf } from "./members-store.ts";
import type { Role } from "./membership.ts";

type CallContext = Pick<HandlerContext, "values">;

/** The caller that may do everything, and acts for no person. */
const OPERATOR = "operator";

/**
 * Returns the person for whom the call is made; undefined for an operator.
 *
 * @throws ServiceError `unauthenticated` for any other caller without an actor token
 */
export function requireActor(call: CallContext): Actor | undefined {
  return callerOf(call).name === OPERATOR ? undefined : requirePerson(call);
}

/** Returns the person for whom the call is made. @throws ServiceError `unauthenticated` where there is none. */
export function requirePerson(call: CallContext): Actor {
  const actor = actorOf(call);
  if (actor !== undefined) return actor;
  throw new ServiceError("unauthenticated", "the call must name the person for whom it is made");
}

/**
 * Checks that the person who makes the call has a role in a sale. An operator needs none.
 *
 * @param actor undefined for an operator
 * @param absent the error for a person who is no member, as if the sale didn't exist
 * @throws RoleRefusal `absent`, `permission_denied`, `failed_precondition`
 */
export async function requireRole(
  query: Kysely<AuthSchema>,
  actor: Actor | undefined,
  saleUuid: string,
  needed: Role,
  absent = saleNotFound(saleUuid),
): Promise<void> {
  if (actor === undefined) return;
  const { accountUuid, authenticatedBy } = actor;
  const membership = await roleOf(query, saleUuid, accountUuid);
  const refusal = refusalOfRole(membership, needed, authenticatedBy, absent);
  if (refusal === undefined) return;
  const passkeyMissing = refusal.code === "failed_precondition";
  throw new RoleRefusal(refusal, { accountUuid, saleUuid, role: membership?.role, needed, passkeyMissing });
}

/** Returns those of some sales that the person who makes the call may see, each once. An operator may see all. */
export async function visibleSales(
  query: Kysely<AuthSchema>,
  actor: Actor | undefined,
  saleUuids: readonly string[],
): Promise<readonly string[]> {
  const asked = [...new Set(saleUuids.map((saleUuid) => saleUuid.toLowerCase()))];
  if (actor === undefined) return asked;
  const memberships = await readRoles(query, actor.accountUuid, asked);
  return memberships.filter((one) => !isPasskeyMissing(one, actor.authenticatedBy)).map(({ saleUuid }) => saleUuid);
}

/**
 * `requireRole` that also needs a sign-in of the last ten minutes.
 *
 * @throws ServiceError as `requireRole`, and `failed_precondition`
 */
export async function requireRecentRole(
  query: Kysely<AuthSchema>,
  actor: Actor | undefined,
  saleUuid: string,
  needed: Role,
  nowMs: bigint,
): Promise<void> {
  await requireRole(query, actor, saleUuid, needed);
  if (actor !== undefined) checkRecentSignIn(actor, nowMs);
}

/** An attempt on a sale by a person whose role in it doesn't allow it. */
export interface RefusedAttempt {
  readonly accountUuid: string;
  readonly saleUuid: string;
  /** Undefined for a person who is no member. */
  readonly role: Role | undefined;
  readonly needed: Role;
  /** Whether only the passkey was missing that the sale requires. */
  readonly passkeyMissing?: boolean;
}

/** The error of such an attempt. The caller sees only code, message and rule. */
export class RoleRefusal extends ServiceError {
  readonly attempt: RefusedAttempt;

  constructor({ code, message, violations }: ServiceError, attempt: RefusedAttempt) {
    super(code, message, { violations });
    this.attempt = attempt;
  }
}
