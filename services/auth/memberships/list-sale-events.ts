import type { ServiceImpl } from "@connectrpc/connect";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { nextPageToken, pageSize, pageStart } from "../../shared/rpc/server/page-token.ts";
import type { Dependencies } from "../base/dependencies.ts";
import { readClientsOf } from "../clients/clients-store.ts";
import { readMembers } from "./members-store.ts";
import { actingPerson, requireRole } from "./required-role.ts";
import { saleEventMessage } from "./sale-event-message.ts";
import { readSaleEvents } from "./sale-events-store.ts";

const EVENT_ID_HEX_DIGITS = 32;

export function listSaleEvents({
  database,
}: Pick<Dependencies, "database">): ServiceImpl<typeof MembershipService>["listSaleEvents"] {
  return async (request, context) => {
    const actor = actingPerson(context);
    const saleUuid = request.saleUuid.toLowerCase();
    const limit = pageSize(request.pageSize);
    const before = pageStart(request.pageToken, EVENT_ID_HEX_DIGITS);
    const { events, names } = await database.read(async (query) => {
      await requireRole(query, actor, saleUuid, "viewer");
      const events = await readSaleEvents(query, saleUuid, { before, limit });
      const members = await readMembers(query, saleUuid);
      const clients = await readClientsOf(query, saleUuid);
      return {
        events,
        names: {
          emails: new Map(members.map(({ accountUuid, email }) => [accountUuid, email])),
          clients: new Map(clients.map(({ uuid, definition }) => [uuid, definition.name])),
        },
      };
    });
    return {
      events: events.map((event) => saleEventMessage(event, names)),
      nextPageToken: nextPageToken(events, limit, ({ eventId }) => eventId),
    };
  };
}
