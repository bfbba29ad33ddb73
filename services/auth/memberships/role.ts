/** What a member may do with a sale: look; change its clients; everything. */
export type Role = "viewer" | "editor" | "owner";

const RANK: Readonly<Record<Role, number>> = { viewer: 1, editor: 2, owner: 3 };

/** Whether a role allows all that `needed` does. */
export function includesRole(role: Role, needed: Role): boolean {
  return RANK[role] >= RANK[needed];
}
