import { ROLE_WORDS, type RoleName } from "../../../common/sale/words/role-words.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";

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

/** All roles, the one with the fewest rights first. */
export const ROLES = [Role.VIEWER, Role.EDITOR, Role.OWNER] as const;

export function roleText(role: Role): RoleText {
  const value = NAMES[role];
  return value === undefined ? { value: "", name: "Member", detail: "" } : { value, ...ROLE_WORDS[value] };
}

/** Returns the role of a form's value; unspecified for a value that no form has. */
export function roleOfValue(value: string): Role {
  return ROLES.find((role) => roleText(role).value === value) ?? Role.UNSPECIFIED;
}
