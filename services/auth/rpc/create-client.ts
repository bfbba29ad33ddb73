import { randomUUID } from "node:crypto";
import type { ServiceImpl } from "@connectrpc/connect";
import type { ClientService, CreateClientRequest } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { Client } from "../domain/client.ts";
import { checkClientDefinition } from "../domain/client-definition.ts";
import { newClient } from "../domain/new-client.ts";
import { recordEvent } from "../store/audit.ts";
import { createClient as createStored } from "../store/create-client.ts";
import { type Member, readMembers } from "../store/members.ts";
import { ensureSaleAccess } from "../store/sale-access.ts";
import { actingPerson, requireChanger, requireRole } from "./acting.ts";
import { clientMessage, definitionOf, redirectUrisChanged } from "./client-message.ts";
import type { Dependencies } from "./dependencies.ts";
import { founderEvent } from "./founder-event.ts";
import { notifyOwners } from "./notify-owners.ts";
import { requireSale, type SaleFacts } from "./sale-facts.ts";

type Needed = Pick<Dependencies, "database" | "clock" | "sales" | "mailer" | "logger">;

export function createClient(dependencies: Needed): ServiceImpl<typeof ClientService>["createClient"] {
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
