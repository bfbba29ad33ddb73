import { bytesOfHex, hexOfBytes } from "../../shared/encoding/hex.ts";
import { uuidFromBytes } from "../../shared/encoding/uuid.ts";
import type { ClientTable } from "../base/schema.ts";
import type { Client } from "./client.ts";

/** The row of a client, without the column that only `raiseTokenGeneration` changes. */
export function encodeClient(client: Client): Omit<ClientTable, "token_generation"> {
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
  };
}

export function decodeClient(row: ClientTable): Client {
  return {
    uuid: uuidFromBytes(row.client),
    saleUuid: uuidFromBytes(row.sale),
    saleName: row.sale_name,
    tenancy: row.tenancy,
    status: row.status,
    definition: { name: row.name, redirectUris: JSON.parse(row.redirect_uris), scopes: JSON.parse(row.scopes) },
    ...(row.square_logo === null ? {} : { squareLogo: hexOfBytes(row.square_logo) }),
    ...(row.wide_logo === null ? {} : { wideLogo: hexOfBytes(row.wide_logo) }),
    version: BigInt(row.version),
    createdAtMs: BigInt(row.created_at_ms),
  };
}
