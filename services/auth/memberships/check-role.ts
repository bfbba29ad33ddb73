import { ServiceError } from "../../shared/errors/service-error.ts";
import { includesRole, type Role } from "./role.ts";

/**
 * Returns the error for a person who hasn't at least the role `needed` in a sale; undefined for one who has.
 *
 * @param role undefined for a person who is no member
 * @param absent the error for such a person, who may not learn whether the sale exists
 * @returns `absent`, or `permission_denied` for a member whose role allows less
 */
export function refusalOfRole(role: Role | undefined, needed: Role, absent: ServiceError): ServiceError | undefined {
  if (role === undefined) return absent;
  if (includesRole(role, needed)) return undefined;
  return new ServiceError("permission_denied", `the role ${needed} of the sale is needed, not ${role}`);
}

/** The error for a sale that doesn't exist, and for one of which the person is no member: both read the same. */
export function saleNotFound(saleUuid: string): ServiceError {
  return new ServiceError("not_found", `there is no sale ${saleUuid}`);
}
