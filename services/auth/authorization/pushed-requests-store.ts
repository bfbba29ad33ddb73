import type { Kysely, Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { PUSHED_REQUEST_LIFETIME_MS } from "../base/lifetimes.ts";
import { opaqueTokenHash } from "../base/opaque-token.ts";
import type { AuthSchema } from "../base/schema.ts";
import { newRequestUri, type PushedRequest } from "./pushed-request.ts";

/** Stores a request under the hash of a new `request_uri`. @returns the `request_uri`. */
export async function insertPushedRequest(
  transaction: Transaction<AuthSchema>,
  { clientUuid, parameters }: PushedRequest,
  nowMs: bigint,
): Promise<string> {
  const requestUri = newRequestUri();
  await transaction
    .insertInto("pushed_request")
    .values({
      request_uri: opaqueTokenHash(requestUri),
      client: bytesOfHex(clientUuid),
      parameters: JSON.stringify(parameters),
      expires_at_ms: nowMs + PUSHED_REQUEST_LIFETIME_MS,
    })
    .execute();
  return requestUri;
}

/** Returns a request that has not expired, used or not. */
export async function findPushedRequest(
  query: Kysely<AuthSchema>,
  requestUri: string,
  nowMs: bigint,
): Promise<PushedRequest | undefined> {
  const row = await query
    .selectFrom("pushed_request")
    .select(["client", "parameters"])
    .where("request_uri", "=", opaqueTokenHash(requestUri))
    .where("expires_at_ms", ">", nowMs)
    .executeTakeFirst();
  return row && { clientUuid: uuidFromBytes(row.client), parameters: JSON.parse(row.parameters) };
}

/**
 * Marks a request as used, which is possible once.
 *
 * @returns false if it was used before.
 */
export async function markPushedRequestUsed(
  transaction: Transaction<AuthSchema>,
  requestUri: string,
  nowMs: bigint,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("pushed_request")
    .set({ used_at_ms: nowMs })
    .where("request_uri", "=", opaqueTokenHash(requestUri))
    .where("used_at_ms", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export function expiredPushedRequests(nowMs: bigint): ExpiredRows {
  return { table: "pushed_request", ageColumn: "expires_at_ms", cutoff: nowMs };
}
