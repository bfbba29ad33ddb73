import type { HandlerContext } from "@connectrpc/connect";
import type { Peer } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import { founderEvent } from "../audit/founder-event.ts";
import type { AuthContext } from "../base/context.ts";
import { type Member, readMembers } from "../memberships/members-store.ts";
import { notifyOwners } from "../memberships/notify-owners.ts";
import { observeSale } from "../memberships/read-sale.ts";
import { requireRecentRole, requireRole } from "../memberships/require-role.ts";
import type { Client } from "./application.ts";
import { raiseTokenGeneration } from "./applications-store.ts";
import { changeClient } from "./change-application.ts";
import { requestedClient } from "./requested-application.ts";

const EVENTS = { active: "client.enabled", disabled: "client.disabled" } as const;

/**
 * Enables or disables the client of a request. Disabling it revokes its tokens, needs a recent sign-in, and is mailed to the
 * owners.
 *
 * @throws ServiceError as `requestedClient` and `changeClient` do
 */
export async function changeClientStatus(
  context: AuthContext,
  request: { readonly clientUuid: string; readonly peer?: Peer | undefined },
  call: HandlerContext,
  status: Client["status"],
): Promise<Client> {
  const { database, clock } = context;
  const { client: storedClient, actor } = await requestedClient(context, request, call, "editor");
  let members: readonly Member[] = [];
  const changed = await changeClient(database, {
    storedClient,
    observation: await observeSale(context, storedClient.saleUuid, call),
    async decide(transaction, client) {
      if (status === "active") await requireRole(transaction, actor, client.saleUuid, "editor");
      else await requireRecentRole(transaction, actor, client.saleUuid, "editor", clock());
      return client.status === status ? client : { ...client, status };
    },
    async stored(transaction, _, { uuid: clientUuid, saleUuid }) {
      if (status === "disabled") await raiseTokenGeneration(transaction, clientUuid);
      const event = { event: EVENTS[status], clientUuid, saleUuid };
      await recordEvent(transaction, founderEvent({ actor, peer: request.peer }, event), clock());
      if (status === "disabled") members = await readMembers(transaction, saleUuid);
    },
  });
  const { saleName, definition } = changed;
  notifyOwners(context, members, actor, { event: "client_disabled", saleName, clientName: definition.name });
  return changed;
}
