import type { CompiledQuery } from "kysely";
import { upsertStatement } from "../../../shared/db/sql/upsert.ts";
import { bytesOfHex } from "../../../shared/encoding/hex.ts";
import { bytesOfTick } from "./encoding.ts";
import type { CommitmentsDatabase } from "./schema.ts";

/** Widths of the time buckets in which the figures are kept, in seconds. */
export const RESOLUTIONS_S = [1n, 60n, 3600n] as const;

const HISTORY_TARGET = {
  table: "history",
  keys: ["sale", "resolution_s", "bucket_s"],
  values: ["total", "commitments", "clearing_tick"],
};

export interface HistoryPoint {
  readonly saleUuid: string;
  readonly nowMillis: bigint;
  readonly amount: bigint;
  readonly commitments: bigint;
  readonly clearingTick?: bigint;
}

/** Sets the figures of the buckets that `nowMillis` falls into: the last point of a bucket stays. */
export function upsertHistory({ dialect }: CommitmentsDatabase, point: HistoryPoint): CompiledQuery {
  const sale = bytesOfHex(point.saleUuid);
  const seconds = point.nowMillis / 1000n;
  const tick = point.clearingTick === undefined ? null : bytesOfTick(point.clearingTick);
  const rows = RESOLUTIONS_S.map((resolution) => [
    sale,
    resolution,
    seconds - (seconds % resolution),
    point.amount.toString(),
    point.commitments,
    tick,
  ]);
  return upsertStatement(dialect, HISTORY_TARGET, rows);
}
