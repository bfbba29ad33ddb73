import type { ServiceImpl } from "@connectrpc/connect";
import { nextPageToken, pageSize, pageStart } from "../../../common/platform/rpc/server/page-token.ts";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { readMembers } from "../memberships/members-store.ts";
import { requireActor, requireRole } from "../memberships/require-role.ts";
import { saleEventMessage } from "./sale-event-message.ts";
import { readSaleEvents } from "./sale-events-store.ts";

const EVENT_ID_HEX_DIGITS = 32;

export function listSaleEvents({ database }: AuthContext): ServiceImpl<typeof MembershipService>["listSaleEvents"] {
  return async (request, call) => {
    const actor = requireActor(call);
    const saleUuid = request.saleUuid.toLowerCase();
    const limit = pageSize(request.pageSize);
    const before = pageStart(request.pageToken, EVENT_ID_HEX_DIGITS);
    const { events, members } = await database.read(async (query) => {
      await requireRole(query, actor, saleUuid, "viewer");
      const events = await readSaleEvents(query, saleUuid, { before, limit });
      return { events, members: await readMembers(query, saleUuid) };
    });
    const emails = new Map(members.map(({ accountUuid, email }) => [accountUuid, email]));
    return {
      events: events.map((event) => saleEventMessage(event, emails)),
      nextPageToken: nextPageToken(events, limit, ({ eventId }) => eventId),
    };
  };
}
