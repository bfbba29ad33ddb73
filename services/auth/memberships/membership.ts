import { ServiceError } from "../../shared/errors/service-error.ts";
import { includesRole, type Role } from "./role.ts";

/** Of one sale. */
export const MAX_MEMBERS = 100;

/** What somebody is in a sale. */
export interface MemberRole {
  readonly accountUuid: string;
  readonly role: Role;
}

/** The members with somebody in a role, whatever they were before. */
export function withMember(members: readonly MemberRole[], member: MemberRole): readonly MemberRole[] {
  return [...withoutMember(members, member.accountUuid), member];
}

export function withoutMember(members: readonly MemberRole[], accountUuid: string): readonly MemberRole[] {
  return members.filter((member) => member.accountUuid !== accountUuid);
}

/**
 * Checks the members of a sale as they would be after a change. A sale that an operator made for nobody has no owner
 * before.
 *
 * @throws ServiceError `failed_precondition`
 */
export function checkMembers(before: readonly MemberRole[], after: readonly MemberRole[]): void {
  if (hasOwner(before) && !hasOwner(after)) {
    throw new ServiceError("failed_precondition", "the sale would be left without an owner");
  }
  if (after.length > MAX_MEMBERS) {
    throw new ServiceError("failed_precondition", `a sale has at most ${MAX_MEMBERS} members`);
  }
}

function hasOwner(members: readonly MemberRole[]): boolean {
  return members.some(({ role }) => role === "owner");
}

/** For lists: owners first, then by address. */
export function compareMembers(a: MemberRole & { email: string }, b: MemberRole & { email: string }): number {
  if (a.role === b.role) return a.email < b.email ? -1 : 1;
  return includesRole(a.role, b.role) ? -1 : 1;
}
