import type { AuthenticationMethod } from "../base/authentication-method.ts";
import type { AuthContext } from "../base/context.ts";
import { type RoleInSale, refusalOfRole, saleNotFound } from "./check-role.ts";
import { recordRefusal } from "./record-refusals.ts";
import { RoleRefusal } from "./require-role.ts";
import type { Role } from "./role.ts";

/** An attempt of a person at another service. */
export interface RoleAttempt {
  readonly accountUuid: string;
  readonly saleUuid: string;
  /** Undefined for a person who is no member. */
  readonly membership: RoleInSale | undefined;
  readonly method: AuthenticationMethod;
}

/**
 * Records an attempt that the person's role doesn't allow; the service that asks refuses it. Where only the passkey is missing,
 * which that service doesn't know of, this refuses it.
 *
 * @throws RoleRefusal `failed_precondition`
 */
export async function judgeAttempt(
  context: AuthContext,
  { accountUuid, saleUuid, membership, method }: RoleAttempt,
  needed: Role,
): Promise<void> {
  const refusal = refusalOfRole(membership, needed, method, saleNotFound(saleUuid));
  if (refusal === undefined) return;
  const attempt = { accountUuid, saleUuid, role: membership?.role, needed };
  if (refusal.code === "failed_precondition") throw new RoleRefusal(refusal, { ...attempt, passkeyMissing: true });
  await recordRefusal(context, attempt);
}
