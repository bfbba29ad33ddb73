import type { Kysely, SelectQueryBuilder, Transaction } from "kysely";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { AuthDatabase, AuthSchema, ClientTable } from "../base/schema.ts";
import type { Client } from "./application.ts";
import { type ClientSecurity, DEFAULT_SECURITY } from "./definition/application-security.ts";
import { originKey } from "./definition/redirect-uri.ts";

/** The maximum of one sale. */
export const MAX_CLIENTS = 20;

/** @param clientUuid in canonical lower-case text form */
export async function findClient(database: AuthDatabase, clientUuid: string): Promise<Client | undefined> {
  return database.read((query) => readClient(query, clientUuid));
}

/** `findClient` inside a transaction. */
export async function readClient(query: Kysely<AuthSchema>, clientUuid: string): Promise<Client | undefined> {
  const row = await clientsBy(query, bytesOfHex(clientUuid)).executeTakeFirst();
  return row && decodeClient(row);
}

/** The key of a client, or the query that selects it from an authorization request. */
export type ClientKey =
  | Uint8Array
  | SelectQueryBuilder<AuthSchema, "authorization_request", { readonly client: Uint8Array }>;

/** Selects a client; `decodeClient` reads its row. */
export function clientsBy(query: Kysely<AuthSchema>, key: ClientKey) {
  return query.selectFrom("client").selectAll().where("client.client", "=", key);
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

/** The row of a client, without the column that only `raiseTokenGeneration` changes. */
function encodeClient(client: Client): Omit<ClientTable, "token_generation"> {
  const { definition, squareLogo, wideLogo } = client;
  return {
    client: bytesOfHex(client.uuid),
    sale: bytesOfHex(client.saleUuid),
    tenancy: client.tenancy,
    sale_name: client.saleName,
    name: definition.name,
    status: client.status,
    version: client.version,
    redirect_uris: JSON.stringify(definition.redirectUris),
    scopes: JSON.stringify(definition.scopes),
    square_logo: squareLogo === undefined ? null : bytesOfHex(squareLogo),
    wide_logo: wideLogo === undefined ? null : bytesOfHex(wideLogo),
    created_at_ms: client.createdAtMs,
    ...encodeSecurity(definition.security),
  };
}

/** Reads a row of a client. */
export function decodeClient(row: ClientTable): Client {
  return {
    uuid: uuidFromBytes(row.client),
    saleUuid: uuidFromBytes(row.sale),
    saleName: row.sale_name,
    tenancy: row.tenancy,
    status: row.status,
    definition: {
      name: row.name,
      redirectUris: JSON.parse(row.redirect_uris),
      scopes: JSON.parse(row.scopes),
      security: decodeSecurity(row),
    },
    ...(row.square_logo === null ? {} : { squareLogo: hexOfBytes(row.square_logo) }),
    ...(row.wide_logo === null ? {} : { wideLogo: hexOfBytes(row.wide_logo) }),
    version: BigInt(row.version),
    createdAtMs: BigInt(row.created_at_ms),
  };
}

/** The columns of a client that hold its security settings. */
type SecurityColumns = Pick<
  ClientTable,
  | "require_pushed_authorization_requests"
  | "dpop_bound_access_tokens"
  | "id_token_signed_response_alg"
  | "token_endpoint_auth_method"
  | "jwks"
  | "post_logout_redirect_uris"
>;

function encodeSecurity(security: ClientSecurity): SecurityColumns {
  return {
    require_pushed_authorization_requests: security.requirePushedAuthorizationRequests ? 1 : 0,
    dpop_bound_access_tokens: security.dpopBoundAccessTokens ? 1 : 0,
    id_token_signed_response_alg: security.idTokenSignedResponseAlg,
    token_endpoint_auth_method: security.tokenEndpointAuthMethod,
    jwks: JSON.stringify(security.jwks),
    post_logout_redirect_uris: JSON.stringify(security.postLogoutRedirectUris),
  };
}

function decodeSecurity(row: SecurityColumns): ClientSecurity {
  return {
    requirePushedAuthorizationRequests: Number(row.require_pushed_authorization_requests) === 1,
    dpopBoundAccessTokens: Number(row.dpop_bound_access_tokens) === 1,
    idTokenSignedResponseAlg: row.id_token_signed_response_alg ?? DEFAULT_SECURITY.idTokenSignedResponseAlg,
    tokenEndpointAuthMethod: row.token_endpoint_auth_method ?? DEFAULT_SECURITY.tokenEndpointAuthMethod,
    jwks: JSON.parse(row.jwks ?? "[]"),
    postLogoutRedirectUris: JSON.parse(row.post_logout_redirect_uris ?? "[]"),
  };
}
