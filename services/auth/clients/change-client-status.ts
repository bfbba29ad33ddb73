import type { HandlerContext } from "@connectrpc/connect";
import type { Peer } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import { recordEvent } from "../base/audit-store.ts";
import type { Dependencies } from "../base/dependencies.ts";
import { founderEvent } from "../base/founder-event.ts";
import { requireRole } from "../memberships/required-role.ts";
import { sightSale } from "../memberships/sale-facts.ts";
import { revokeFamiliesOf } from "../tokens/token-families-store.ts";
import { changeClient } from "./change-client.ts";
import type { Client } from "./client.ts";
import { requestedClient } from "./requested-client.ts";

const EVENTS = { active: "client.enabled", disabled: "client.disabled" } as const;

/**
 * Enables or disables the client of a request. The tokens of one that becomes disabled are revoked.
 *
 * @throws ServiceError as `requestedClient` and `changeClient` do
 */
export async function changeClientStatus(
  dependencies: Pick<Dependencies, "database" | "clock" | "sales">,
  request: { readonly clientUuid: string; readonly peer?: Peer | undefined },
  context: HandlerContext,
  status: Client["status"],
): Promise<Client> {
  const { database, clock } = dependencies;
  const { client: seen, actor } = await requestedClient(dependencies, request, context, "editor");
  return changeClient(database, {
    seen,
    sighting: await sightSale(dependencies, seen.saleUuid, context),
    async decide(transaction, client) {
      await requireRole(transaction, actor, client.saleUuid, "editor");
      return client.status === status ? client : { ...client, status };
    },
    async stored(transaction, _, { uuid: clientUuid, saleUuid }) {
      if (status === "disabled") await revokeFamiliesOf(transaction, { clientUuid }, clock());
      const event = { event: EVENTS[status], clientUuid, saleUuid };
      await recordEvent(transaction, founderEvent({ actor, peer: request.peer }, event), clock());
    },
  });
}
