import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { parseEmailAddress } from "../../../common/platform/names/email-address.ts";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { findOrCreateAccount, lockAccount } from "../accounts/accounts-store.ts";
import { recordEvent } from "../audit/audit-store.ts";
import { founderEvent } from "../audit/founder-event.ts";
import type { AuthContext } from "../base/context.ts";
import { changeMembers } from "./change-members.ts";
import { memberMessage, roleOfMessage } from "./member-message.ts";
import { type Member, storeMember } from "./members-store.ts";
import { checkMembers, withMember } from "./membership.ts";
import { requireActor, requireRecentRole } from "./require-role.ts";

export function setMember(context: AuthContext): ServiceImpl<typeof MembershipService>["setMember"] {
  const { database, clock, rateLimits } = context;
  const { dialect } = database;
  return async (request, call) => {
    const actor = requireActor(call);
    const saleUuid = request.saleUuid.toLowerCase();
    const email = parseEmailAddress(request.email);
    const role = roleOfMessage(request.role);
    if (actor !== undefined) await rateLimits.take("invite_account", actor.accountUuid);
    let member: Member | undefined;
    await changeMembers(context, call, {
      saleUuid,
      actor,
      async change(transaction, members) {
        await requireRecentRole(transaction, actor, saleUuid, "owner", clock());
        const { uuid: accountUuid } = await findOrCreateAccount(transaction, dialect, email, clock());
        if (!(await lockAccount(transaction, dialect, accountUuid))) throw accountGone();
        member = { accountUuid, email, role };
        if (members.some((one) => one.accountUuid === accountUuid && one.role === role)) return undefined;
        checkMembers(members, withMember(members, member));
        await storeMember(transaction, dialect, saleUuid, member);
        const event = { event: "member.changed", saleUuid, accountUuid, details: { role } } as const;
        await recordEvent(transaction, founderEvent({ actor, peer: request.peer }, event), clock());
        return member;
      },
    });
    return member === undefined ? {} : { member: memberMessage(member) };
  };
}

function accountGone(): ServiceError {
  return new ServiceError("aborted", "the account was deleted meanwhile; try again");
}
