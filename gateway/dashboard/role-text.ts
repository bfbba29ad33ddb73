import { Role } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";

export interface RoleText {
  /** As a form sends it. */
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

/** The roles that there are, the least first. */
export const ROLES = [Role.VIEWER, Role.EDITOR, Role.OWNER] as const;

export function roleText(role: Role): RoleText {
  return WORDS[role] ?? { value: "", name: "Member", detail: "" };
}

/** Unspecified for what no form of ours sends. */
export function roleOfValue(value: string): Role {
  return ROLES.find((role) => roleText(role).value === value) ?? Role.UNSPECIFIED;
}
