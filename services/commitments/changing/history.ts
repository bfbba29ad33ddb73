import type { CompiledQuery } from "kysely";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { upsertStatement } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { RESOLUTIONS_S } from "../base/domain/history-windows.ts";
import { bytesOfTick } from "../base/encoding.ts";
import type { CommitmentsDatabase, HistoryTable } from "../base/schema.ts";

const HISTORY_TARGET = tableTarget<HistoryTable>("history", {
  sale: "key",
  resolution_s: "key",
  bucket_s: "key",
  total: "value",
  commitments: "value",
  clearing_tick: "value",
});

export interface HistoryPoint {
  readonly saleUuid: string;
  readonly nowMillis: bigint;
  readonly amount: bigint;
  readonly commitments: bigint;
  readonly clearingTick?: bigint;
}

/** Builds the statement that sets the figures of the buckets that contain `nowMillis`: a bucket keeps its last figures. */
export function upsertHistory({ dialect }: CommitmentsDatabase, point: HistoryPoint): CompiledQuery {
  const sale = bytesOfHex(point.saleUuid);
  const seconds = point.nowMillis / 1000n;
  const tick = point.clearingTick === undefined ? null : bytesOfTick(point.clearingTick);
  const rows = RESOLUTIONS_S.map((resolution) => ({
    sale,
    resolution_s: resolution,
    bucket_s: seconds - (seconds % resolution),
    total: point.amount.toString(),
    commitments: point.commitments,
    clearing_tick: tick,
  }));
  return upsertStatement(dialect, HISTORY_TARGET, rows);
}
