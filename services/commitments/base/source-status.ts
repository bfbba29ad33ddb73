import type { Kysely } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { type FeedState, feedStateOf } from "./domain/feed-state.ts";
import type { SourceStatus, SourceSuccess } from "./domain/sale-state.ts";
import type { SaleWithState } from "./domain/sale-with-state.ts";
import { bigintOf } from "./encoding.ts";
import { decodeSourcePosition } from "./sale-rows.ts";
import type { CommitmentsDatabase, CommitmentsSchema, SaleSourceStatusTable } from "./schema.ts";

/** A status with the time at which it was read, by the database's clock. */
interface StatusRead {
  readonly status: SourceStatus;
  readonly nowMillis: bigint;
}

/** Reads what was last reported about the sources of sales, by sale. */
export async function readSourceStatuses(
  query: Kysely<CommitmentsSchema>,
  dialect: SqlDialect,
  saleUuids: readonly string[],
): Promise<ReadonlyMap<string, StatusRead>> {
  if (saleUuids.length === 0) return new Map();
  const rows = await query
    .selectFrom("sale_source_status")
    .selectAll()
    .select(dialect.nowMillis.as("now_ms"))
    .where("sale", "in", saleUuids.map(bytesOfHex))
    .execute();
  return new Map(
    rows.map((row) => [uuidFromBytes(row.sale), { status: decodeStatus(row), nowMillis: BigInt(row.now_ms) }]),
  );
}

/** Decodes a row of `sale_source_status`. */
export function decodeStatus(row: SaleSourceStatusTable): SourceStatus {
  const lastSuccess = decodeSuccess(row);
  return {
    ...(lastSuccess && { lastSuccess }),
    readIntervalMillis: bigintOf(row.read_interval_ms ?? 0n),
    ...(row.settled_since_ms === null ? {} : { settledSinceMillis: bigintOf(row.settled_since_ms) }),
    headHeight: bigintOf(row.head_height),
    fault: row.fault,
    warning: row.warning,
    sweep: {
      rowsDone: bigintOf(row.sweep_rows_done),
      rowsTotal: bigintOf(row.sweep_rows_total),
      running: Number(row.sweep_running) === 1,
      sweepRequests: bigintOf(row.sweep_answers),
    },
    checkedAtMillis: bigintOf(row.checked_at_ms),
    sweepRequests: bigintOf(row.sweep_requests),
    ...decodeChain(row),
  };
}

function decodeChain({ chain_id, contract_url }: SaleSourceStatusTable): Pick<SourceStatus, "chain"> {
  if (chain_id === null) return {};
  return { chain: { chainId: bigintOf(chain_id), contractUrl: contract_url ?? "" } };
}

function decodeSuccess(row: SaleSourceStatusTable): SourceSuccess | undefined {
  const { success_at_ms, as_of_height, as_of_hash, as_of_time_s } = row;
  if (success_at_ms === null || as_of_height === null) return successWithoutPosition(row);
  return {
    atMillis: bigintOf(success_at_ms),
    position: { height: bigintOf(as_of_height), hash: hexOfBytes(as_of_hash ?? new Uint8Array(0)) },
    ...(as_of_time_s === null ? {} : { blockTimeSeconds: bigintOf(as_of_time_s) }),
  };
}

/** A reader of an older version only reports that nothing is wrong. */
function successWithoutPosition(row: SaleSourceStatusTable): SourceSuccess | undefined {
  const isHealthy = row.fault === "" && Number(row.sweep_running) === 0;
  const atMillis = bigintOf(row.checked_at_ms);
  return isHealthy && atMillis > 0n ? { atMillis } : undefined;
}

/** Returns a sale with its status from `readSourceStatuses`, and how current its figures are. */
export function withSourceStatus(sale: SaleWithState, statuses: ReadonlyMap<string, StatusRead>): SaleWithState {
  const read = statuses.get(sale.sale.uuid);
  if (read === undefined) return sale;
  const { status, nowMillis } = read;
  const facts = { ...sale.state, leaseUntilMillis: sale.state.lease.untilMillis };
  return { ...sale, sourceStatus: status, feedState: feedStateOf(facts, status, nowMillis) };
}

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
