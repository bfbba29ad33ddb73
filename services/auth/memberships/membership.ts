import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { RoleName } from "../../../common/sale/words/role-words.ts";

/** The maximum of one sale. */
export const MAX_MEMBERS = 100;

/** The role of a person in a sale. */
export interface MemberRole {
  readonly accountUuid: string;
  readonly role: Role;
}

/** The members with one added, or with another role for one of them. */
export function withMember(members: readonly MemberRole[], member: MemberRole): readonly MemberRole[] {
  return [...withoutMember(members, member.accountUuid), member];
}

export function withoutMember(members: readonly MemberRole[], accountUuid: string): readonly MemberRole[] {
  return members.filter((member) => member.accountUuid !== accountUuid);
}

/**
 * Checks the members of a sale as they would be after a change. A sale that an operator created without an owner may stay
 * without one.
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

/** The order of members in lists: owners first, then editors, then viewers, each by address. */
export function compareMembers(a: MemberRole & { email: string }, b: MemberRole & { email: string }): number {
  if (a.role === b.role) return a.email < b.email ? -1 : 1;
  return includesRole(a.role, b.role) ? -1 : 1;
}

/** The role of a member: a viewer may look at a sale, an editor may also change its applications, an owner may do everything. */
export type Role = RoleName;

const RANK: Readonly<Record<Role, number>> = { viewer: 1, editor: 2, owner: 3 };

/** Whether a role allows everything that `needed` allows. */
export function includesRole(role: Role, needed: Role): boolean {
  return RANK[role] >= RANK[needed];
}
