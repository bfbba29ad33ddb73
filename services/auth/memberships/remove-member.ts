import type { ServiceImpl } from "@connectrpc/connect";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import { founderEvent } from "../audit/founder-event.ts";
import type { AuthContext } from "../base/context.ts";
import { changeMembers } from "./change-members.ts";
import { deleteMember } from "./members-store.ts";
import { checkMembers, withoutMember } from "./membership.ts";
import { requireActor, requireRecentRole } from "./require-role.ts";

/** Removing a person who is no member is no error, so that the call can be repeated. */
export function removeMember(context: AuthContext): ServiceImpl<typeof MembershipService>["removeMember"] {
  const { clock } = context;
  return async (request, call) => {
    const actor = requireActor(call);
    const saleUuid = request.saleUuid.toLowerCase();
    const accountUuid = request.accountUuid.toLowerCase();
    await changeMembers(context, call, {
      saleUuid,
      actor,
      async change(transaction, members) {
        const role = actor?.accountUuid === accountUuid ? "viewer" : "owner";
        await requireRecentRole(transaction, actor, saleUuid, role, clock());
        const removed = members.find((member) => member.accountUuid === accountUuid);
        if (removed === undefined) return undefined;
        checkMembers(members, withoutMember(members, accountUuid));
        await deleteMember(transaction, saleUuid, accountUuid);
        const event = { event: "member.changed", saleUuid, accountUuid, details: { role: "none" } } as const;
        await recordEvent(transaction, founderEvent({ actor, peer: request.peer }, event), clock());
        return { email: removed.email };
      },
    });
    return {};
  };
}
