import type { ServiceImpl } from "@connectrpc/connect";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { MembershipDependencies } from "./dependencies.ts";
import { memberMessage } from "./member-message.ts";
import { readMembers } from "./members-store.ts";
import { compareMembers } from "./membership.ts";
import { actingPerson, requireRole } from "./required-role.ts";

export function listMembers({
  database,
}: Pick<MembershipDependencies, "database">): ServiceImpl<typeof MembershipService>["listMembers"] {
  return async (request, context) => {
    const actor = actingPerson(context);
    const saleUuid = request.saleUuid.toLowerCase();
    const members = await database.read(async (query) => {
      await requireRole(query, actor, saleUuid, "viewer");
      return readMembers(query, saleUuid);
    });
    return { members: members.toSorted(compareMembers).map(memberMessage) };
  };
}
