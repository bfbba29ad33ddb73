import type { CompiledQuery } from "kysely";
import { selectByKeys } from "../../../common/platform/db/sql/by-keys.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { insertStatement } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { bigintOf } from "../base/encoding.ts";
import type { ApplyRequestTable } from "../base/schema.ts";

const REQUEST_TARGET = tableTarget<ApplyRequestTable>("apply_request", {
  sale: "key",
  request_id: "key",
  payload_hash: "value",
  revision: "value",
  created_at_ms: "value",
});

const APPLIED_COLUMNS = ["payload_hash", "revision"] as const;

export type AppliedRequestRow = Pick<ApplyRequestTable, (typeof APPLIED_COLUMNS)[number]>;

export interface AppliedRequest {
  readonly payloadHash: string;
  /** The sale's revision after it. */
  readonly revision: bigint;
}

/** Builds the statement that reads the request which was applied under this ID in the last 24 hours, for `appliedRequestOf`. */
export function selectAppliedRequest(
  dialect: SqlDialect,
  saleUuid: string,
  requestId: string,
): CompiledQuery<AppliedRequestRow> {
  const rows = { columns: APPLIED_COLUMNS, where: { sale: bytesOfHex(saleUuid) }, key: "request_id" } as const;
  return selectByKeys(dialect, REQUEST_TARGET, rows, [bytesOfHex(requestId)]);
}

/** Decodes the rows of `selectAppliedRequest`. */
export function appliedRequestOf([row]: readonly AppliedRequestRow[]): AppliedRequest | undefined {
  if (row === undefined) return undefined;
  return { payloadHash: hexOfBytes(row.payload_hash), revision: bigintOf(row.revision) };
}

/** Builds the statement that records an applied request. */
export function insertAppliedRequest(
  dialect: SqlDialect,
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
