import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";

export interface RoleText {
  /** Value that a form sends. */
  readonly value: string;
  readonly name: string;
  readonly detail: string;
}

const WORDS: Readonly<Partial<Record<Role, RoleText>>> = {
  [Role.OWNER]: {
    value: "owner",
    name: "Owner",
    detail: "Does everything: redirect URIs, members, opening and settling",
  },
  [Role.EDITOR]: {
    value: "editor",
    name: "Editor",
    detail: "Changes settings and applications, but not where users are sent",
  },
  [Role.VIEWER]: { value: "viewer", name: "Viewer", detail: "Sees everything and changes nothing" },
};

/** All roles, the one with the fewest rights first. */
export const ROLES = [Role.VIEWER, Role.EDITOR, Role.OWNER] as const;

export function roleText(role: Role): RoleText {
  return WORDS[role] ?? { value: "", name: "Member", detail: "" };
}

/** Returns the role of a form's value; unspecified for a value that no form has. */
export function roleOfValue(value: string): Role {
  return ROLES.find((role) => roleText(role).value === value) ?? Role.UNSPECIFIED;
}
