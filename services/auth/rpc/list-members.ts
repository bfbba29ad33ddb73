import type { ServiceImpl } from "@connectrpc/connect";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { compareMembers } from "../domain/membership.ts";
import { readMembers } from "../store/members.ts";
import { actingPerson, requireRole } from "./acting.ts";
import type { Dependencies } from "./dependencies.ts";
import { memberMessage } from "./member-message.ts";

export function listMembers({
  database,
}: Pick<Dependencies, "database">): ServiceImpl<typeof MembershipService>["listMembers"] {
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
