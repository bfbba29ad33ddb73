import type { RoleName } from "../../../common/sale/words/role-words.ts";

/** The role of a member: a viewer may look at a sale, an editor may also change its applications, an owner may do everything. */
export type Role = RoleName;

const RANK: Readonly<Record<Role, number>> = { viewer: 1, editor: 2, owner: 3 };

/** Whether a role allows everything that `needed` allows. */
export function includesRole(role: Role, needed: Role): boolean {
  return RANK[role] >= RANK[needed];
}
