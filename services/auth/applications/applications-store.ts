import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";
import type { Client } from "./application.ts";
import { decodeClient, encodeClient } from "./application-rows.ts";
import { originKey } from "./definition/redirect-uri.ts";

/** The maximum of one sale. */
export const MAX_CLIENTS = 20;

/** @param clientUuid in canonical lower-case text form */
export async function findClient(database: AuthDatabase, clientUuid: string): Promise<Client | undefined> {
  return database.read((query) => readClient(query, clientUuid));
}

/** `findClient` inside a transaction. */
export async function readClient(query: Kysely<AuthSchema>, clientUuid: string): Promise<Client | undefined> {
  const row = await query
    .selectFrom("client")
    .selectAll()
    .where("client", "=", bytesOfHex(clientUuid))
    .executeTakeFirst();
  return row && decodeClient(row);
}

/** Returns the clients of a sale, the oldest first. */
export async function readClientsOf(
  query: Kysely<AuthSchema>,
  saleUuid: string,
  limit = MAX_CLIENTS,
): Promise<readonly Client[]> {
  const rows = await query
    .selectFrom("client")
    .selectAll()
    .where("sale", "=", bytesOfHex(saleUuid))
    .orderBy("created_at_ms")
    .orderBy("client")
    .limit(limit)
    .execute();
  return rows.map(decodeClient);
}

/** Returns the clients of some sales, those of a sale the oldest first. */
export async function readClientsOfSales(
  query: Kysely<AuthSchema>,
  saleUuids: readonly string[],
): Promise<readonly Client[]> {
  if (saleUuids.length === 0) return [];
  const rows = await query
    .selectFrom("client")
    .selectAll()
    .where("sale", "in", saleUuids.map(bytesOfHex))
    .orderBy("created_at_ms")
    .orderBy("client")
    .execute();
  return rows.map(decodeClient);
}

/** Inserts a client. @throws an error for which `isDuplicateKey` is true where the UUID is taken. */
export async function insertClient(transaction: Transaction<AuthSchema>, client: Client): Promise<void> {
  await transaction
    .insertInto("client")
    .values({ ...encodeClient(client), token_generation: 0n })
    .execute();
  await storeOrigins(transaction, client);
}

/** Stores the changed fields of a client; its sale, tenancy and time of creation never change. */
export async function updateClient(transaction: Transaction<AuthSchema>, client: Client): Promise<void> {
  const { client: key, sale, tenancy, created_at_ms, ...changing } = encodeClient(client);
  await transaction.updateTable("client").set(changing).where("client", "=", key).execute();
  await transaction.deleteFrom("client_origin").where("client", "=", key).execute();
  await storeOrigins(transaction, client);
}

/**
 * Deletes a client with its consents. Its requests, codes and tokens are unknown from then on, as each is read together with
 * its client; their rows expire.
 */
export async function deleteClient(transaction: Transaction<AuthSchema>, clientUuid: string): Promise<void> {
  const key = bytesOfHex(clientUuid);
  for (const table of ["client", "client_origin", "consent"] as const) {
    await transaction.deleteFrom(table).where("client", "=", key).execute();
  }
}

/** Revokes all codes and tokens of a client with one row: they are valid only in the generation that issued them. */
export async function raiseTokenGeneration(transaction: Transaction<AuthSchema>, clientUuid: string): Promise<void> {
  await transaction
    .updateTable("client")
    .set(({ eb }) => ({ token_generation: eb("token_generation", "+", 1n) }))
    .where("client", "=", bytesOfHex(clientUuid))
    .execute();
}

async function storeOrigins(transaction: Transaction<AuthSchema>, { uuid, status, definition }: Client): Promise<void> {
  if (status !== "active" || definition.redirectUris.length === 0) return;
  const origins = new Set(definition.redirectUris.map((uri) => originKey(new URL(uri).origin)));
  const client = bytesOfHex(uuid);
  await transaction
    .insertInto("client_origin")
    .values([...origins].map((origin) => ({ origin, client })))
    .execute();
}

/** Whether a web origin belongs to a redirect URI of an active client. Pages of such an origin may request tokens. */
export async function isRegisteredOrigin(database: AuthDatabase, origin: string): Promise<boolean> {
  const row = await database.read((query) =>
    query
      .selectFrom("client_origin")
      .select("client")
      .where("origin", "=", originKey(origin))
      .limit(1)
      .executeTakeFirst(),
  );
  return row !== undefined;
}
