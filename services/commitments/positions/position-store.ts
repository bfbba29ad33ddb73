import { CompiledQuery } from "kysely";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { executeAndCommit, executeBatch } from "../../../common/platform/db/sql/statement-batch.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { marksRefunds } from "../../../common/sale/definition/contract-family.ts";
import { sourceFamily } from "../../../common/sale/definition/sale.ts";
import { type TickWidth, tickWidth } from "../../../common/sale/definition/tick-width.ts";
import { activeClasses, type CountingClass } from "../../../common/sale/figures/counting-class.ts";
import {
  type ClassedRecord,
  clearingMatters,
  isUndersubscribed,
  type PositionEntry,
  positionEntry,
} from "../../../common/sale/figures/position.ts";
import {
  allocationsOfRecords,
  allocationsOfRows,
  type PositionAllocation,
} from "../../../common/sale/figures/position-allocations.ts";
import { demandFrom, type TickNode } from "../../../common/sale/figures/tick-node.ts";
import type { Allocation } from "../../../common/sale/record/allocation.ts";
import { walletsOf } from "../../../common/sale/record/commitment.ts";
import { type AllocationVersion, allocationOf, selectAllocationsOf } from "../base/allocation-rows.ts";
import { COMMITMENT_COLUMNS, decodeRecord } from "../base/commitment-rows.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { shownAllocations } from "../base/domain/shown-allocations.ts";
import { bigintOf } from "../base/encoding.ts";
import { type NodeRow, tickNodeOf } from "../base/loaded-nodes.ts";
import { requireWalletRows, requireWholeRows, saleWithState } from "../base/read-sale.ts";
import { pathTo, selectNodes } from "../base/sale-nodes.ts";
import { type SaleAndState, selectSaleAndState, type Tx } from "../base/sale-rows.ts";
import type { CommitmentsDatabase, CommitmentTable } from "../base/schema.ts";

/** The amounts and extra data of one page: many look-ups of long commitments at once mustn't fill the memory. */
const PAGE_BYTES = 512 * 1024;
/** Commitments up to this length are read at once: a hundred of them, the most that a page has, are no longer than a page. */
const SHORT_BYTES = 5_000;

/** A commitment and the length of its amounts, accepted or not, and extra data, which are null in a long one that wasn't read whole. */
type PositionRow = Omit<CommitmentTable, "amounts" | "extra_data"> & {
  readonly amounts: string | null;
  readonly extra_data: Uint8Array | null;
  readonly bytes: bigint | number | string;
};

/** The commitments of a page that are read. */
interface Selection extends PositionPage {
  /** Whether long ones are read whole. */
  readonly whole: boolean;
}

/** A part of a wallet's commitments. */
export interface PositionPage {
  /** In canonical form. */
  readonly wallet: string;
  /** The commitment ID after which the page begins; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

export interface PositionRead extends SaleWithState {
  /** By commitment ID ascending. */
  readonly entries: readonly PositionEntry[];
  /** Whether nothing clears yet; decided only where an entry is active. */
  readonly undersubscribed: boolean;
  /** Raw, for the entities of `entries`; empty as long as the sale's allocations aren't known. */
  readonly allocations: readonly PositionAllocation[];
  /** The commitment ID after which the next page begins; absent on the last page. */
  readonly next?: string;
}

/** The demand to be read: that of counting classes at a tick and above it. */
interface DemandQuery {
  readonly width: TickWidth;
  readonly tick: bigint;
  readonly classes: readonly CountingClass[];
}

/**
 * Reads commitments of a wallet, active or not, at one revision, in one message to the database. The demand at the clearing
 * price is read only if one of them has that price, allocations that a feeder has set only if there are any, and long commitments
 * only as far as they fit on the page: then all is read again together with it.
 *
 * @throws ServiceError `not_found` for an unknown or draft sale; `unavailable` before its first whole snapshot, while a change
 *   set is open, and until its rows by wallet are complete.
 */
export async function readPosition(
  database: CommitmentsDatabase,
  saleUuid: string,
  page: PositionPage,
): Promise<PositionRead> {
  let known: DemandQuery | undefined;
  let version: bigint | undefined;
  for (let selection: Selection = { ...page, whole: false }; ; ) {
    const further = { demand: known, version };
    const { row, rows, nodes, allocated } = await readTogether(database, saleUuid, selection, further);
    const { sale, state } = saleWithState(saleUuid, row);
    requireWholeRows(saleUuid, state);
    requireWalletRows(state);
    const { definition } = sale;
    const fed = definition.source === undefined ? shownAllocations(state)?.version : undefined;
    if (fed !== version) {
      version = fed;
      continue;
    }
    const active = activeClasses(state, definition.cancelledKeepsAmounts);
    const tick = state.clearingTick;
    const shown = pageOf(rows, selection.limit);
    if (!shown.every(isWhole)) {
      selection = { ...page, limit: shown.length, whole: true };
      continue;
    }
    const records = shown.map(classedRecord).filter((each) => names(each, page.wallet));
    if (
      tick !== undefined &&
      clearingMatters(records, active, tick, definition.pricing) &&
      !isOf(known, tick, active)
    ) {
      known = { width: tickWidth(definition), tick, classes: active };
      continue;
    }
    const demand =
      known === undefined ? 0n : demandFrom(known.width, known.tick, nodes, definition.priceTick.denominator);
    const clearing = tick === undefined ? {} : { clearing: { tick, demand } };
    const facts = { definition, active, ...clearing };
    const entries = records.map((record) => positionEntry(record, facts));
    const undersubscribed = known !== undefined && isUndersubscribed(facts);
    const allocations =
      fed === undefined
        ? allocationsOfSource({ sale, state }, records, page.wallet)
        : allocationsOfFeeder(allocated, records);
    return { sale, state, entries, undersubscribed, allocations, ...nextOf(shown, rows.length) };
  }
}

function allocationsOfSource({ sale, state }: SaleWithState, records: readonly ClassedRecord[], wallet: string) {
  if (shownAllocations(state) === undefined) return [];
  return allocationsOfRecords(
    records.map(({ record }) => record),
    wallet,
    marksRefunds(sourceFamily(sale.definition.source)),
  );
}

/** One more commitment is read than a page shows, perhaps of another entity. */
function allocationsOfFeeder(allocated: readonly Allocation[], records: readonly ClassedRecord[]) {
  const entities = new Set(records.map(({ record }) => record.entityId));
  return allocationsOfRows(allocated.filter(({ entityId }) => entities.has(entityId)));
}

/** The parts of a look-up that only some need. */
interface FurtherReads {
  readonly demand: DemandQuery | undefined;
  /** The version of the allocations that a feeder has set. */
  readonly version: bigint | undefined;
}

interface ReadTogether {
  readonly row: SaleAndState | undefined;
  readonly rows: readonly PositionRow[];
  /** The nodes that `FurtherReads.demand` asks for. */
  readonly nodes: readonly TickNode[];
  readonly allocated: readonly Allocation[];
}

async function readTogether(
  database: CommitmentsDatabase,
  saleUuid: string,
  selection: Selection,
  { demand, version }: FurtherReads,
): Promise<ReadTogether> {
  const { dialect } = database;
  const statements = [selectSaleAndState(dialect, saleUuid), selectPosition(dialect, saleUuid, selection)] as const;
  return database.snapshot(async (transaction) => {
    const run = version === undefined ? executeAndCommit : executeBatch;
    const path = demand === undefined ? [] : [selectDemand(dialect, saleUuid, demand)];
    const [found, { rows }, nodes] = await run(transaction, dialect, [...statements, ...path]);
    const allocated =
      version === undefined
        ? []
        : await readAllocated(transaction, dialect, { saleUuid, version }, selection.wallet, rows);
    return { row: found.rows[0], rows, nodes: (nodes?.rows ?? []).map(tickNodeOf), allocated };
  });
}

function selectDemand(
  dialect: SqlDialect,
  saleUuid: string,
  { width, tick, classes }: DemandQuery,
): CompiledQuery<NodeRow> {
  return selectNodes(dialect, saleUuid, { ...pathTo(width, tick), classes, keys: [] });
}

/** Reads what is accepted of a wallet, for the entities of commitments. */
async function readAllocated(
  transaction: Tx,
  dialect: SqlDialect,
  version: AllocationVersion,
  wallet: string,
  rows: readonly PositionRow[],
): Promise<readonly Allocation[]> {
  const entityIds = [...new Set(rows.map(({ entity_id }) => hexOfBytes(entity_id)))];
  if (entityIds.length === 0) return [];
  const found = await transaction.executeQuery(selectAllocationsOf(dialect, version, wallet, entityIds));
  return found.rows.map(allocationOf);
}

const LENGTH = "octet_length(amounts) + octet_length(extra_data) + coalesce(octet_length(accepted), 0)";
/** The columns that may be long. `accepted` may be null in a whole row, too. */
const LONG_COLUMNS: readonly string[] = ["amounts", "extra_data", "accepted"];
const WHOLE_COLUMNS = columnsAs((column) => `commitment.${column}`);
const SHORT_COLUMNS = columnsAs((column) =>
  LONG_COLUMNS.includes(column)
    ? `case when ${LENGTH} <= ${SHORT_BYTES} then ${column} end as ${column}`
    : `commitment.${column}`,
);

function columnsAs(written: (column: string) => string): string {
  return [...COMMITMENT_COLUMNS.map(written), `${LENGTH} as bytes`].join(", ");
}

/** Builds the statement that reads a page of a wallet's commitments, and one more. */
function selectPosition(
  dialect: SqlDialect,
  saleUuid: string,
  { wallet, after, limit, whole }: Selection,
): CompiledQuery<PositionRow> {
  const bound = new BoundValues(dialect);
  const tables = "commitment_wallet inner join commitment using (sale, commitment_id)";
  const isOfWallet = `commitment_wallet.sale = ${bound.one(bytesOfHex(saleUuid))} and wallet = ${bound.one(wallet)}`;
  const isAfter = `commitment_wallet.commitment_id > ${bound.one(bytesOfHex(after))}`;
  const order = `order by commitment_wallet.commitment_id limit ${limit + 1}`;
  const text = `select ${whole ? WHOLE_COLUMNS : SHORT_COLUMNS} from ${tables} where ${isOfWallet} and ${isAfter} ${order}`;
  return CompiledQuery.raw(text, bound.parameters);
}

function isWhole(row: PositionRow): row is PositionRow & CommitmentTable {
  return row.amounts !== null && row.extra_data !== null;
}

function classedRecord(row: CommitmentTable): ClassedRecord {
  return { record: decodeRecord(row), countingClass: bigintOf(row.standing) };
}

/** Whether a commitment names a wallet. A row by wallet that a process of an older version has left behind may say otherwise. */
function names({ record }: ClassedRecord, wallet: string): boolean {
  return walletsOf(record.amounts).includes(wallet);
}

function isOf(known: DemandQuery | undefined, tick: bigint, classes: readonly CountingClass[]): boolean {
  if (known?.tick !== tick || known.classes.length !== classes.length) return false;
  return known.classes.every((countingClass, index) => countingClass === classes[index]);
}

/** Returns the rows of a page: at most `limit`, and fewer where they are long, but at least one. */
function pageOf(rows: readonly PositionRow[], limit: number): readonly PositionRow[] {
  let all = 0;
  const end = rows.findIndex(({ bytes }) => {
    all += Number(bytes);
    return all > PAGE_BYTES;
  });
  return rows.slice(0, Math.min(limit, end === -1 ? rows.length : Math.max(1, end)));
}

function nextOf(page: readonly PositionRow[], found: number): Pick<PositionRead, "next"> {
  const last = page.length < found ? page.at(-1) : undefined;
  return last === undefined ? {} : { next: hexOfBytes(last.commitment_id) };
}
