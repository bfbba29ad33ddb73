import { CompiledQuery } from "kysely";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { executeBatch, type StatementResult } from "../../../common/platform/db/sql/statement-batch.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { tickWidth } from "../../../common/sale/definition/tick-width.ts";
import { activeClasses } from "../../../common/sale/figures/counting-class.ts";
import { isPublic } from "../base/domain/sale-state.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { bigintOf, tickOfBytes } from "../base/encoding.ts";
import type { NodeRow } from "../base/loaded-nodes.ts";
import { decodeSale, decodeSaleState, type Tx } from "../base/sale-rows.ts";
import {
  type SnapshotSelection,
  selectFrozen,
  selectSums,
  snapshotOfFrozen,
  sumsOfRows,
} from "../base/sale-snapshot.ts";
import type { CommitmentsDatabase, HistoryTable } from "../base/schema.ts";
import { readSourceStatuses, withSourceStatus } from "../base/source-status.ts";
import { type Bucket, type TrendBase, trendBase, trendStart } from "../reading/trend.ts";

const HOUR = 3600n;
const MINUTE = 60n;

/** A sale's figures at one time. */
export interface SaleFigures {
  readonly total: bigint;
  readonly count: bigint;
  /** Only in an auction. */
  readonly clearingTick?: bigint;
  /** Bid below the floor; known only now, and while the clearing price is the floor. */
  readonly belowFloor?: bigint;
}

/** A sale with its figures now and about a day ago; see `SaleOverview` of the contract. */
export interface SaleOverview extends SaleWithState {
  readonly figures?: SaleFigures;
  readonly earlier?: TrendBase<SaleFigures>;
}

type HistoryRow = Pick<HistoryTable, "bucket_s" | "total" | "commitments" | "clearing_tick">;
type Point = SaleFigures & Bucket;

/**
 * Reads sales with their figures. It reads five rows of each, however many commitments it has; of an auction
 * at its floor also the sums on the way to the floor. Unknown sales are left out.
 *
 * @param saleUuids at most 50
 */
export async function readSaleOverviews(
  database: CommitmentsDatabase,
  saleUuids: readonly string[],
): Promise<readonly SaleOverview[]> {
  if (saleUuids.length === 0) return [];
  const now = (await database.nowMillis()) / 1000n;
  return database.snapshot(async (transaction) => {
    const sales = await readSales(database, transaction, saleUuids);
    const statements = sales.map((sale) => (hasFigures(sale) ? statementsOf(database.dialect, sale, now) : []));
    const results = await executeBatch(transaction, database.dialect, statements.flat());
    let read = 0;
    return sales.map((sale, index) => {
      const end = read + (statements[index]?.length ?? 0);
      const own = results.slice(read, end);
      read = end;
      return own.length === 0 ? sale : { ...sale, ...figuresOf(sale, own, now) };
    });
  });
}

async function readSales(
  { dialect }: CommitmentsDatabase,
  transaction: Tx,
  saleUuids: readonly string[],
): Promise<readonly SaleWithState[]> {
  const rows = await transaction
    .selectFrom("sale_state")
    .innerJoin("sale", "sale.sale", "sale_state.sale")
    .selectAll()
    .where("sale_state.sale", "in", saleUuids.map(bytesOfHex))
    .execute();
  const statuses = await readSourceStatuses(transaction, dialect, saleUuids);
  return rows.map((row) => withSourceStatus({ sale: decodeSale(row), state: decodeSaleState(row) }, statuses));
}

function hasFigures({ state }: SaleWithState): boolean {
  return isPublic(state) && state.hasSnapshot;
}

/** Builds the statements that read a sale's figures, for `figuresOf`. */
function statementsOf(dialect: SqlDialect, overview: SaleWithState, now: bigint): readonly CompiledQuery[] {
  const { sale, state } = overview;
  const { uuid, definition } = sale;
  const classes = activeClasses(state, definition.cancelledKeepsAmounts);
  const start = trendStart(now);
  return [
    state.changeSet === undefined
      ? selectSums(dialect, uuid, { classes, ...sumsToRead(overview) })
      : selectFrozen(dialect, uuid),
    selectBucket(dialect, uuid, { resolution: HOUR, before: start }),
    selectBucket(dialect, uuid, { resolution: HOUR, since: start }),
    selectBucket(dialect, uuid, { resolution: MINUTE, since: start }),
  ];
}

/** Returns which sums are read. Only of an auction that is at its floor, what is bid below decides whether it clears. */
function sumsToRead({ sale, state }: SaleWithState): Pick<SnapshotSelection, "width" | "floorTicks"> {
  const { pricing } = sale.definition;
  const isAtFloor = pricing.kind === "auction" && state.clearingTick === pricing.floorTicks;
  return { width: tickWidth(sale.definition), floorTicks: isAtFloor ? pricing.floorTicks : undefined };
}

/** The last period before a time, or the first since a time: seconds since 1970. */
type BucketSelection = { readonly resolution: bigint } & ({ readonly before: bigint } | { readonly since: bigint });

function selectBucket(dialect: SqlDialect, saleUuid: string, selection: BucketSelection): CompiledQuery<HistoryRow> {
  const bound = new BoundValues(dialect);
  const where = `sale = ${bound.one(bytesOfHex(saleUuid))} and resolution_s = ${bound.one(selection.resolution)}`;
  const edge =
    "before" in selection
      ? `bucket_s < ${bound.one(selection.before)} order by bucket_s desc`
      : `bucket_s >= ${bound.one(selection.since)} order by bucket_s`;
  const text = `select bucket_s, total, commitments, clearing_tick from history where ${where} and ${edge} limit 1`;
  return CompiledQuery.raw(text, bound.parameters);
}

function figuresOf(
  sale: SaleWithState,
  [present, before, firstHour, firstMinute]: readonly StatementResult[],
  now: bigint,
): Pick<SaleOverview, "figures" | "earlier"> {
  const { state } = sale;
  const rows = (present?.rows ?? []) as readonly NodeRow[];
  const figures = state.changeSet === undefined ? sumsOfRows(state, sumsToRead(sale), rows) : frozenOf(present);
  const buckets = { before: pointOf(before), firstHour: pointOf(firstHour), firstMinute: pointOf(firstMinute) };
  const earlier = trendBase<Point>(buckets, now);
  return { figures, ...(earlier && { earlier }) };
}

function frozenOf(result: StatementResult | undefined): SaleFigures {
  return snapshotOfFrozen((result?.rows ?? []) as Parameters<typeof snapshotOfFrozen>[0]);
}

function pointOf(result: StatementResult | undefined): Point | undefined {
  const row = result?.rows[0] as HistoryRow | undefined;
  if (row === undefined) return undefined;
  return {
    bucket: bigintOf(row.bucket_s),
    total: BigInt(row.total),
    count: bigintOf(row.commitments),
    ...(row.clearing_tick === null ? {} : { clearingTick: tickOfBytes(row.clearing_tick) }),
  };
}
