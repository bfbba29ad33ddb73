import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { type FeedState, feedStateOf } from "./domain/feed-state.ts";
import { bigintOf } from "./encoding.ts";
import { decodeSourcePosition } from "./sale-rows.ts";
import type { CommitmentsDatabase } from "./schema.ts";
import { decodeStatus } from "./source-status.ts";

/** Reads how current the figures of sales are, by sale; those without a report are left out. */
export async function readFeedStates(
  database: CommitmentsDatabase,
  saleUuids: readonly string[],
): Promise<ReadonlyMap<string, FeedState>> {
  if (saleUuids.length === 0) return new Map();
  const rows = await database.read((connection) =>
    connection
      .selectFrom("sale_source_status")
      .innerJoin("sale_state", "sale_state.sale", "sale_source_status.sale")
      .selectAll("sale_source_status")
      .select(["source_height", "source_hash", "lease_until_ms", "has_snapshot"])
      .select(database.dialect.nowMillis.as("now_ms"))
      .where("sale_source_status.sale", "in", saleUuids.map(bytesOfHex))
      .execute(),
  );
  const states = rows.map((row): [string, FeedState] => {
    const state = {
      ...decodeSourcePosition(row),
      leaseUntilMillis: bigintOf(row.lease_until_ms),
      hasSnapshot: Number(row.has_snapshot) === 1,
    };
    return [uuidFromBytes(row.sale), feedStateOf(state, decodeStatus(row), BigInt(row.now_ms))];
  });
  return new Map(states);
}
