import { bytesOfHex, hexOfBytes } from "../../shared/hex.ts";
import { bigintOf } from "./encoding.ts";
import type { Tx } from "./sale-rows.ts";

export interface AppliedRequest {
  readonly payloadHash: string;
  /** The sale's revision after it. */
  readonly revision: bigint;
}

/** The request that was applied under this ID in the last 24 hours. */
export async function readAppliedRequest(
  transaction: Tx,
  saleUuid: string,
  requestId: string,
): Promise<AppliedRequest | undefined> {
  const row = await transaction
    .selectFrom("apply_request")
    .select(["payload_hash", "revision"])
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("request_id", "=", bytesOfHex(requestId))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { payloadHash: hexOfBytes(row.payload_hash), revision: bigintOf(row.revision) };
}

export async function recordAppliedRequest(
  transaction: Tx,
  saleUuid: string,
  requestId: string,
  request: AppliedRequest & { readonly nowMillis: bigint },
): Promise<void> {
  await transaction
    .insertInto("apply_request")
    .values({
      sale: bytesOfHex(saleUuid),
      request_id: bytesOfHex(requestId),
      payload_hash: bytesOfHex(request.payloadHash),
      revision: request.revision,
      created_at_ms: request.nowMillis,
    })
    .execute();
}
