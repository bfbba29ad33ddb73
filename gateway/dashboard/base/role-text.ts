import type { RoleName } from "../../../common/sale/words/role-words.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { texts } from "./texts.ts";

export interface RoleText {
  /** Value that a form sends. */
  readonly value: string;
  readonly name: string;
  readonly detail: string;
}

const NAMES: Readonly<Partial<Record<Role, RoleName>>> = {
  [Role.OWNER]: "owner",
  [Role.EDITOR]: "editor",
  [Role.VIEWER]: "viewer",
};

/** The names of the texts of what a role may do. */
const DETAILS = { viewer: "viewerDetail", editor: "editorDetail", owner: "ownerDetail" } as const;

/** All roles, the one with the fewest rights first. */
export const ROLES = [Role.VIEWER, Role.EDITOR, Role.OWNER] as const;

export function roleText(role: Role): RoleText {
  const value = NAMES[role];
  const { base } = texts();
  if (value === undefined) return { value: "", name: base.member, detail: "" };
  return { value, name: base[value], detail: base[DETAILS[value]] };
}

/** Returns the role of a form's value; unspecified for a value that no form has. */
export function roleOfValue(value: string): Role {
  return ROLES.find((role) => roleText(role).value === value) ?? Role.UNSPECIFIED;
}
