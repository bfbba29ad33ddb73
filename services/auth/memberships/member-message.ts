import { create } from "@bufbuild/protobuf";
import {
  type Member as MemberMessage,
  MemberSchema,
  Role as RoleMessage,
} from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { Member } from "./members-store.ts";
import type { Role } from "./membership.ts";

const ROLES: Readonly<Record<Role, RoleMessage>> = {
  viewer: RoleMessage.VIEWER,
  editor: RoleMessage.EDITOR,
  owner: RoleMessage.OWNER,
};

export function roleMessage(role: Role | undefined): RoleMessage {
  return role === undefined ? RoleMessage.UNSPECIFIED : ROLES[role];
}

/** Protovalidate refuses an unspecified role; an unknown one becomes the role that allows least. */
export function roleOfMessage(role: RoleMessage): Role {
  if (role === RoleMessage.OWNER) return "owner";
  return role === RoleMessage.EDITOR ? "editor" : "viewer";
}

/** @param member `hasPasskey` only for those who may see it */
export function memberMessage({
  accountUuid,
  email,
  role,
  hasPasskey = false,
}: Member & { readonly hasPasskey?: boolean }): MemberMessage {
  return create(MemberSchema, { accountUuid, email, role: roleMessage(role), hasPasskey });
}
