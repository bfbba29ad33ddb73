import type { JWK } from "jose";
import type { Kysely } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { AuthSchema } from "../base/schema.ts";

/** Columns of a client on which its authentication depends. */
export interface ClientKeys {
  readonly isActive: boolean;
  /** Whether the client must authenticate, by `private_key_jwt`. A public client can't. */
  readonly isConfidential: boolean;
  /** The public keys of a confidential client. */
  readonly keys: readonly JWK[];
}

/** @returns undefined for an unknown client */
export async function readClientKeys(query: Kysely<AuthSchema>, clientUuid: string): Promise<ClientKeys | undefined> {
  const row = await query
    .selectFrom("client")
    .select(["status", "token_endpoint_auth_method", "jwks"])
    .where("client", "=", bytesOfHex(clientUuid))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const isConfidential = row.token_endpoint_auth_method === "private_key_jwt";
  return {
    isActive: row.status === "active",
    isConfidential,
    keys: isConfidential ? JSON.parse(row.jwks ?? "[]") : [],
  };
}
