import type { HandlerContext } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import { ServiceError } from "../../shared/errors/service-error.ts";
import { type Actor, actorOf } from "../../shared/rpc/identity/actor.ts";
import { callerOf } from "../../shared/rpc/identity/caller.ts";
import type { AuthSchema } from "../base/schema.ts";
import { checkRecentSignIn } from "../sessions/session.ts";
import { checkRole, saleNotFound } from "./check-role.ts";
import { roleOf } from "./members-store.ts";
import type { Role } from "./role.ts";

type CallContext = Pick<HandlerContext, "values">;

/** May do everything, without being a person. */
const OPERATOR = "operator";

/**
 * The person who acts; undefined for an operator.
 *
 * @throws ServiceError `unauthenticated` where another caller brings no actor token
 */
export function requireActor(context: CallContext): Actor | undefined {
  return callerOf(context).name === OPERATOR ? undefined : requirePerson(context);
}

/** @throws ServiceError `unauthenticated` where the call is made for nobody. */
export function requirePerson(context: CallContext): Actor {
  const actor = actorOf(context);
  if (actor !== undefined) return actor;
  throw new ServiceError("unauthenticated", "the call doesn't say for which person it is made");
}

/**
 * Checks that the person who acts has a role in a sale; an operator needs none.
 *
 * @param absent for a person who is no member: as if what is asked for weren't there
 * @throws ServiceError `absent`, `permission_denied`
 */
export async function requireRole(
  query: Kysely<AuthSchema>,
  actor: Actor | undefined,
  saleUuid: string,
  needed: Role,
  absent = saleNotFound(saleUuid),
): Promise<void> {
  if (actor !== undefined) checkRole(await roleOf(query, saleUuid, actor.accountUuid), needed, absent);
}

/**
 * `requireRole` for a person whose sign-in is of the last ten minutes.
 *
 * @throws ServiceError also `failed_precondition`
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
