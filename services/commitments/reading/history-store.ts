import { sql } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { Sale } from "../../../common/sale/definition/sale.ts";
import { type HistoryWindow, historyWindows } from "../base/domain/history-windows.ts";
import { bigintOf, tickOfBytes } from "../base/encoding.ts";
import { readSaleWithState, requireReadable } from "../base/read-sale.ts";
import type { Tx } from "../base/sale-rows.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";

const HOUR = 3600n;

/** The figures at the end of a period; see `HistoryPoint` of the contract. */
export interface HistoryPointRead {
  readonly fromSeconds: bigint;
  readonly seconds: bigint;
  readonly total: bigint;
  readonly commitments: bigint;
  readonly clearingTick?: bigint;
}

export interface HistoryRead {
  readonly sale: Sale;
  /** Points by time ascending. */
  readonly points: readonly HistoryPointRead[];
}

/**
 * Reads a sale's figures over time, in at most `maxPoints` points (at least 12).
 *
 * @throws ServiceError `not_found`, `unavailable`.
 */
export async function readHistory(
  database: CommitmentsDatabase,
  saleUuid: string,
  maxPoints: number,
): Promise<HistoryRead> {
  const now = (await database.nowMillis()) / 1000n;
  return database.snapshot(async (transaction) => {
    const { sale, state } = await readSaleWithState(transaction, saleUuid);
    requireReadable(saleUuid, state);
    const oldest = (await oldestHour(transaction, saleUuid)) ?? now;
    const points: HistoryPointRead[] = [];
    for (const window of historyWindows(now, oldest, maxPoints)) {
      points.push(...(await readWindow(transaction, saleUuid, window)));
    }
    return { sale, points };
  });
}

async function oldestHour(transaction: Tx, saleUuid: string): Promise<bigint | undefined> {
  const row = await transaction
    .selectFrom("history")
    .select("bucket_s")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("resolution_s", "=", HOUR)
    .orderBy("bucket_s")
    .limit(1)
    .executeTakeFirst();
  return row && bigintOf(row.bucket_s);
}

/** Reads the points of a window. A period of several buckets shows the last one. */
async function readWindow(transaction: Tx, saleUuid: string, window: HistoryWindow): Promise<HistoryPointRead[]> {
  const { resolution, seconds, from, to } = window;
  const sale = bytesOfHex(saleUuid);
  const latest = transaction
    .selectFrom("history")
    .select(({ fn }) => fn.max("bucket_s").as("latest_s"))
    .where("sale", "=", sale)
    .where("resolution_s", "=", resolution)
    .where("bucket_s", ">=", from)
    .where("bucket_s", "<", to)
    .groupBy(sql`bucket_s - bucket_s % ${seconds}`)
    .as("latest");
  const rows = await transaction
    .selectFrom("history")
    .innerJoin(latest, "latest.latest_s", "history.bucket_s")
    .select(["bucket_s", "total", "commitments", "clearing_tick"])
    .where("sale", "=", sale)
    .where("resolution_s", "=", resolution)
    .orderBy("bucket_s")
    .execute();
  return rows.map((row) => {
    const bucket = bigintOf(row.bucket_s);
    return {
      fromSeconds: bucket - (bucket % seconds),
      seconds,
      total: BigInt(row.total),
      commitments: bigintOf(row.commitments),
      ...(row.clearing_tick === null ? {} : { clearingTick: tickOfBytes(row.clearing_tick) }),
    };
  });
}
