import { CompiledQuery } from "kysely";
import { inBatches } from "../../../common/platform/db/batches.ts";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { upsertStatement } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { RESOLUTIONS_S } from "../base/domain/history-windows.ts";
import { bytesOfTick } from "../base/encoding.ts";
import type { CommitmentsDatabase, HistoryTable } from "../base/schema.ts";
import type { HistoryBucket } from "./domain/ended-buckets.ts";

const HISTORY_TARGET = tableTarget<HistoryTable>("history", {
  sale: "key",
  resolution_s: "key",
  bucket_s: "key",
  total: "value",
  commitments: "value",
  clearing_tick: "value",
});

/** A sale's figures at a time. */
export interface HistoryFigures {
  readonly amount: bigint;
  readonly commitments: bigint;
  readonly clearingTick?: bigint;
}

export interface HistoryPoint extends HistoryFigures {
  readonly saleUuid: string;
  readonly nowMillis: bigint;
}

/** Builds the statement that sets the figures of the buckets that contain `nowMillis`: a bucket keeps its last figures. */
export function upsertHistory({ dialect }: CommitmentsDatabase, point: HistoryPoint): CompiledQuery {
  const sale = bytesOfHex(point.saleUuid);
  const seconds = point.nowMillis / 1000n;
  const rows = RESOLUTIONS_S.map((resolution) =>
    historyRow(sale, { ...point, resolution, bucket: seconds - (seconds % resolution) }),
  );
  return upsertStatement(dialect, HISTORY_TARGET, rows);
}

/** The figures at the end of a bucket. */
export type BucketFigures = HistoryBucket & HistoryFigures;

/** A part of a sale's history that is replaced: the buckets that end after `fromSeconds` and by `toSeconds`, both since 1970. */
export interface ReplacedHistory {
  readonly fromSeconds: bigint;
  readonly toSeconds: bigint;
  readonly buckets: readonly BucketFigures[];
}

/** Builds the statements that replace a part of a sale's history. */
export function* replaceHistory(
  dialect: SqlDialect,
  saleUuid: string,
  { fromSeconds, toSeconds, buckets }: ReplacedHistory,
): Generator<CompiledQuery> {
  const sale = bytesOfHex(saleUuid);
  const bound = new BoundValues(dialect);
  const end = "bucket_s + resolution_s";
  const text = `delete from history where sale = ${bound.one(sale)} and ${end} > ${bound.one(fromSeconds)} and ${end} <= ${bound.one(toSeconds)}`;
  yield CompiledQuery.raw(text, bound.parameters);
  for (const batch of inBatches(buckets)) {
    yield upsertStatement(
      dialect,
      HISTORY_TARGET,
      batch.map((figures) => historyRow(sale, figures)),
    );
  }
}

function historyRow(sale: Uint8Array, { resolution, bucket, amount, commitments, clearingTick }: BucketFigures) {
  return {
    sale,
    resolution_s: resolution,
    bucket_s: bucket,
    total: amount.toString(),
    commitments,
    clearing_tick: clearingTick === undefined ? null : bytesOfTick(clearingTick),
  };
}
