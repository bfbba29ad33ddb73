import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { ClientService, CreateClientRequest } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import { founderEvent } from "../audit/founder-event.ts";
import type { AuthContext } from "../base/context.ts";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";
import { type Member, readMembers } from "../memberships/members-store.ts";
import { requireSale, type SaleSummary } from "../memberships/read-sale.ts";
import { requireActor, requireRole } from "../memberships/require-role.ts";
import { ensureSaleAccess, lockSale, requireNotWithdrawn } from "../memberships/sale-access-store.ts";
import type { Client } from "./application.ts";
import { clientMessage, definitionOf } from "./application-message.ts";
import { findClient, insertClient, MAX_CLIENTS, readClientsOf } from "./applications-store.ts";
import { checkClientDefinition } from "./definition/application-definition.ts";
import { sensitiveChange } from "./definition/sensitive-change.ts";
import { notifyOfChange } from "./notify-of-change.ts";
import { requireChanger } from "./require-changer.ts";

export function createClient(context: AuthContext): ServiceImpl<typeof ClientService>["createClient"] {
  const { database, clock } = context;
  return async (request, call) => {
    const actor = requireActor(call);
    const saleUuid = request.saleUuid.toLowerCase();
    await database.read((query) => requireRole(query, actor, saleUuid, "editor"));
    const client = clientOf(request, await requireSale(context, saleUuid, call), clock());
    await ensureSaleAccess(database, saleUuid);
    const sensitive = sensitiveChange(undefined, client.definition);
    let members: readonly Member[] = [];
    const created = await storeNewClient(database, client, {
      admit: (transaction) => requireChanger(transaction, actor, saleUuid, sensitive, clock()),
      async stored(transaction) {
        const event = { event: "client.created", clientUuid: client.uuid, saleUuid } as const;
        await recordEvent(transaction, founderEvent({ actor, peer: request.peer }, event), clock());
        members = await readMembers(transaction, saleUuid);
      },
    });
    notifyOfChange(context, members, actor, { client: created });
    return { client: clientMessage(created) };
  };
}

function clientOf(request: CreateClientRequest, sale: SaleSummary, createdAtMs: bigint): Client {
  return newClient({
    uuid: request.clientUuid === "" ? randomUUID() : request.clientUuid.toLowerCase(),
    saleUuid: request.saleUuid.toLowerCase(),
    saleName: sale.name,
    tenancy: sale.tenancy,
    definition: checkClientDefinition(definitionOf(request), sale.tenancy),
    createdAtMs,
  });
}

interface CreationSteps {
  /** Checks under the lock of the sale; refuses by throwing. */
  admit(transaction: Transaction<AuthSchema>): Promise<void>;
  /** Writes further rows after the client was inserted. */
  stored(transaction: Transaction<AuthSchema>): Promise<void>;
}

/**
 * Inserts a client. If an equal client with the same UUID exists, it is returned, so that a call can be repeated.
 *
 * @throws ServiceError `not_found`, `already_exists`, `failed_precondition` for a sale with the maximum number of clients,
 *   and whatever `admit` throws.
 */
async function storeNewClient(
  database: AuthDatabase,
  client: Client,
  { admit, stored }: CreationSteps,
): Promise<Client> {
  try {
    return await database.writeExclusive(client.saleUuid, async (transaction) => {
      await lockSale(transaction, database.dialect, client.saleUuid);
      await requireNotWithdrawn(transaction, client.saleUuid);
      await admit(transaction);
      await insertClient(transaction, client);
      await requireRoom(transaction, client.saleUuid);
      await stored(transaction);
      return client;
    });
  } catch (error) {
    if (!database.dialect.isDuplicateKey(error)) throw error;
    const existing = await findClient(database, client.uuid);
    if (existing !== undefined && isAsCreated(existing, client)) return existing;
    throw new ServiceError("already_exists", `there is a client ${client.uuid} already`);
  }
}

async function requireRoom(transaction: Transaction<AuthSchema>, saleUuid: string): Promise<void> {
  const clients = await readClientsOf(transaction, saleUuid, MAX_CLIENTS + 1);
  if (clients.length <= MAX_CLIENTS) return;
  throw new ServiceError("failed_precondition", `a sale has at most ${MAX_CLIENTS} clients`);
}

/** A new client: without logos, at version 1. */
function newClient(
  fields: Pick<Client, "uuid" | "saleUuid" | "saleName" | "tenancy" | "definition" | "createdAtMs">,
): Client {
  return { ...fields, status: "active", version: 1n };
}

/** Whether an existing client equals the one that a repeated call would create. Logos may have been set since. */
function isAsCreated(existing: Client, created: Client): boolean {
  return (
    existing.saleUuid === created.saleUuid &&
    existing.status === created.status &&
    isDeepStrictEqual(existing.definition, created.definition)
  );
}
