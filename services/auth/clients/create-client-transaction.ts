import type { Transaction } from "kysely";
import { ServiceError } from "../../shared/errors/service-error.ts";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";
import { lockSale } from "../memberships/sale-access-store.ts";
import type { Client } from "./client.ts";
import { findClient, insertClient, MAX_CLIENTS, readClientsOf } from "./clients-store.ts";
import { isAsCreated } from "./new-client.ts";

/**
 * Creates a client. Where the same one exists under the UUID, it is the answer: the call may be repeated.
 *
 * @param admit may refuse by throwing; `stored` writes what goes with the new client.
 * @throws ServiceError `not_found`, `already_exists`, `failed_precondition` for a sale that has all that it may have, and
 *   whatever `admit` throws.
 */
export async function createClient(
  database: AuthDatabase,
  client: Client,
  admit: (transaction: Transaction<AuthSchema>) => Promise<void>,
  stored: (transaction: Transaction<AuthSchema>) => Promise<void>,
): Promise<Client> {
  try {
    return await database.writeExclusive(client.saleUuid, async (transaction) => {
      await lockSale(transaction, database.dialect, client.saleUuid);
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
