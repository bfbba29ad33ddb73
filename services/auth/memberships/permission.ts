import { ServiceError } from "../../shared/errors/service-error.ts";
import type { Actor } from "../../shared/rpc/identity/actor.ts";
import { hasRecentSignIn } from "../sessions/session.ts";
import { includesRole, type Role } from "./role.ts";

/**
 * Checks what somebody is in a sale.
 *
 * @param role undefined for somebody who is no member
 * @param absent the error for somebody who may not even know of what is asked for
 * @throws ServiceError `absent`, or `permission_denied` for a role that allows less than `needed` does
 */
export function checkRole(role: Role | undefined, needed: Role, absent: ServiceError): void {
  if (role === undefined) throw absent;
  if (includesRole(role, needed)) return;
  throw new ServiceError("permission_denied", `the role ${needed} of the sale is needed, not ${role}`);
}

/** @throws ServiceError `failed_precondition` where the person signed in more than ten minutes ago. */
export function checkRecentSignIn(actor: Pick<Actor, "authenticatedAtMs">, nowMs: bigint): void {
  if (hasRecentSignIn(actor, nowMs)) return;
  throw new ServiceError("failed_precondition", "a sign-in of the last ten minutes is needed: sign in again");
}

/** What nobody may know of who isn't a member; the same words where there is none. */
export function saleNotFound(saleUuid: string): ServiceError {
  return new ServiceError("not_found", `there is no sale ${saleUuid}`);
}

/** As `saleNotFound`. */
export function clientNotFound(clientUuid: string): ServiceError {
  return new ServiceError("not_found", `there is no client ${clientUuid}`);
}
