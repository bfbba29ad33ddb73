import { randomUUID } from "node:crypto";
import type { ServiceImpl } from "@connectrpc/connect";
import type { ClientService, CreateClientRequest } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { recordEvent } from "../base/audit-store.ts";
import { founderEvent } from "../base/founder-event.ts";
import { type Member, readMembers } from "../memberships/members-store.ts";
import { notifyOwners } from "../memberships/notify-owners.ts";
import { actingPerson, requireRole } from "../memberships/required-role.ts";
import { ensureSaleAccess } from "../memberships/sale-access-store.ts";
import { requireSale, type SaleFacts } from "../memberships/sale-facts.ts";
import type { Client } from "./client.ts";
import { checkClientDefinition } from "./client-definition.ts";
import { clientMessage, definitionOf, redirectUrisChanged } from "./client-message.ts";
import { createClient as createStored } from "./create-client-transaction.ts";
import type { ClientDependencies } from "./dependencies.ts";
import { newClient } from "./new-client.ts";
import { requireChanger } from "./require-changer.ts";

export function createClient(dependencies: ClientDependencies): ServiceImpl<typeof ClientService>["createClient"] {
  const { database, clock } = dependencies;
  return async (request, context) => {
    const actor = actingPerson(context);
    const saleUuid = request.saleUuid.toLowerCase();
    await database.read((query) => requireRole(query, actor, saleUuid, "editor"));
    const client = clientOf(request, await requireSale(dependencies, saleUuid, context), clock());
    await ensureSaleAccess(database, saleUuid);
    const redirectUris = client.definition.redirectUris.length > 0;
    let members: readonly Member[] = [];
    const created = await createStored(
      database,
      client,
      (transaction) => requireChanger(transaction, actor, saleUuid, { redirectUris, nowMs: clock() }),
      async (transaction) => {
        const event = { event: "client.created", clientUuid: client.uuid, saleUuid } as const;
        await recordEvent(transaction, founderEvent({ actor, peer: request.peer }, event), clock());
        members = await readMembers(transaction, saleUuid);
      },
    );
    if (redirectUris) notifyOwners(dependencies, members, actor, redirectUrisChanged(created));
    return { client: clientMessage(created) };
  };
}

function clientOf(request: CreateClientRequest, sale: SaleFacts, createdAtMs: bigint): Client {
  return newClient({
    uuid: request.clientUuid === "" ? randomUUID() : request.clientUuid.toLowerCase(),
    saleUuid: request.saleUuid.toLowerCase(),
    saleName: sale.name,
    tenancy: sale.tenancy,
    definition: checkClientDefinition(definitionOf(request), sale.tenancy),
    createdAtMs,
  });
}
