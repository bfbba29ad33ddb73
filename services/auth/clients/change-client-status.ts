import type { HandlerContext } from "@connectrpc/connect";
import type { Peer } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import { recordEvent } from "../base/audit-store.ts";
import { founderEvent } from "../base/founder-event.ts";
import { observeSale } from "../memberships/read-sale.ts";
import { requireRole } from "../memberships/require-role.ts";
import { changeClient } from "./change-client.ts";
import type { Client } from "./client.ts";
import { raiseTokenGeneration } from "./clients-store.ts";
import type { ClientDependencies } from "./dependencies.ts";
import { requestedClient } from "./requested-client.ts";

const EVENTS = { active: "client.enabled", disabled: "client.disabled" } as const;

/**
 * Enables or disables the client of a request. Disabling it revokes its tokens.
 *
 * @throws ServiceError as `requestedClient` and `changeClient` do
 */
export async function changeClientStatus(
  dependencies: Pick<ClientDependencies, "database" | "clock" | "sales">,
  request: { readonly clientUuid: string; readonly peer?: Peer | undefined },
  context: HandlerContext,
  status: Client["status"],
): Promise<Client> {
  const { database, clock } = dependencies;
  const { client: seen, actor } = await requestedClient(dependencies, request, context, "editor");
  return changeClient(database, {
    seen,
    observation: await observeSale(dependencies, seen.saleUuid, context),
    async decide(transaction, client) {
      await requireRole(transaction, actor, client.saleUuid, "editor");
      return client.status === status ? client : { ...client, status };
    },
    async stored(transaction, _, { uuid: clientUuid, saleUuid }) {
      if (status === "disabled") await raiseTokenGeneration(transaction, clientUuid);
      const event = { event: EVENTS[status], clientUuid, saleUuid };
      await recordEvent(transaction, founderEvent({ actor, peer: request.peer }, event), clock());
    },
  });
}
