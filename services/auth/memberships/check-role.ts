import { refusedByRule, ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { AuthenticationMethod } from "../base/authentication-method.ts";
import { includesRole, type Role } from "./membership.ts";

/** The rule that the refusal of an owner or editor without a passkey names. */
const PASSKEY_RULE = "sale.passkey_required";

/** The role of a person in a sale. */
export interface RoleInSale {
  readonly role: Role;
  /** Whether the sale requires passkeys of its owners and editors. */
  readonly passkeysRequired: boolean;
}

/**
 * Returns the error for a person who hasn't at least the role `needed` in a sale, or hasn't signed in with a passkey that the
 * sale requires; undefined for one who has.
 *
 * @param membership undefined for a person who is no member
 * @param absent the error for such a person, who may not learn whether the sale exists
 * @returns `absent`; `permission_denied` for a member whose role allows less; `failed_precondition` without the passkey
 */
export function refusalOfRole(
  membership: RoleInSale | undefined,
  needed: Role,
  method: AuthenticationMethod | undefined,
  absent: ServiceError,
): ServiceError | undefined {
  if (membership === undefined) return absent;
  const { role } = membership;
  if (!includesRole(role, needed)) {
    return new ServiceError("permission_denied", `the role ${needed} of the sale is needed, not ${role}`);
  }
  return isPasskeyMissing(membership, method) ? passkeyRefusal() : undefined;
}

/** Whether a sale requires a passkey of a member who signed in without one. Viewers need none. */
export function isPasskeyMissing(
  { role, passkeysRequired }: RoleInSale,
  method: AuthenticationMethod | undefined,
): boolean {
  return passkeysRequired && includesRole(role, "editor") && method !== "passkey";
}

/** The error for a sale that doesn't exist, and for one of which the person is no member: both read the same. */
export function saleNotFound(saleUuid: string): ServiceError {
  return new ServiceError("not_found", `there is no sale ${saleUuid}`);
}

/** Returns the error for an owner or editor who must sign in with a passkey. */
export function passkeyRefusal(
  message = "the sale requires its owners and editors to sign in with a passkey",
): ServiceError {
  return refusedByRule(PASSKEY_RULE, message);
}
