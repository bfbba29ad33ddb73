import type { CompiledQuery } from "kysely";
import { selectByKeys } from "../../../shared/db/sql/by-keys.ts";
import { tableTarget } from "../../../shared/db/sql/table-target.ts";
import { insertStatement } from "../../../shared/db/sql/upsert.ts";
import { bytesOfHex, hexOfBytes } from "../../../shared/encoding/hex.ts";
import { bigintOf } from "../sql/encoding.ts";
import type { ApplyRequestTable, CommitmentsDatabase } from "../sql/schema.ts";

const REQUEST_TARGET = tableTarget<ApplyRequestTable>("apply_request", {
  sale: "key",
  request_id: "key",
  payload_hash: "value",
  revision: "value",
  created_at_ms: "value",
});

const REQUEST_ROWS = { table: "apply_request", columns: ["payload_hash", "revision"], key: "request_id" };

export interface AppliedRequest {
  readonly payloadHash: string;
  /** The sale's revision after it. */
  readonly revision: bigint;
}

/** Reads the request that was applied under this ID in the last 24 hours, for `appliedRequestOf`. */
export function selectAppliedRequest(
  { dialect }: CommitmentsDatabase,
  saleUuid: string,
  requestId: string,
): CompiledQuery {
  const rows = { ...REQUEST_ROWS, where: { sale: bytesOfHex(saleUuid) } };
  return selectByKeys(dialect, rows, [bytesOfHex(requestId)]);
}

export function appliedRequestOf(rows: readonly unknown[]): AppliedRequest | undefined {
  const [row] = rows as readonly Pick<ApplyRequestTable, "payload_hash" | "revision">[];
  if (row === undefined) return undefined;
  return { payloadHash: hexOfBytes(row.payload_hash), revision: bigintOf(row.revision) };
}

/** Notes that a request was applied. */
export function insertAppliedRequest(
  { dialect }: CommitmentsDatabase,
  saleUuid: string,
  requestId: string,
  { payloadHash, revision, nowMillis }: AppliedRequest & { readonly nowMillis: bigint },
): CompiledQuery {
  const row: ApplyRequestTable = {
    sale: bytesOfHex(saleUuid),
    request_id: bytesOfHex(requestId),
    payload_hash: bytesOfHex(payloadHash),
    revision,
    created_at_ms: nowMillis,
  };
  return insertStatement(dialect, REQUEST_TARGET, [row]);
}
