import { CompiledQuery } from "kysely";
import { BoundValues } from "../../../shared/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../shared/db/sql/dialect.ts";
import { executeAndCommit } from "../../../shared/db/sql/statement-batch.ts";
import { bytesOfHex, hexOfBytes } from "../../../shared/encoding/hex.ts";
import { activeClasses, type CountingClass } from "../../domain/figures/counting-class.ts";
import {
  type ClassedRecord,
  clearingMatters,
  type PositionEntry,
  positionEntry,
} from "../../domain/figures/position.ts";
import { demandFrom } from "../../domain/figures/tick-node.ts";
import { walletsOf } from "../../domain/sale/commitment.ts";
import type { SaleWithState } from "../../domain/sale/sale-with-state.ts";
import { COMMITMENT_COLUMNS, decodeRecord } from "../sql/commitment-rows.ts";
import { bigintOf } from "../sql/encoding.ts";
import { tickNodeOf } from "../sql/loaded-nodes.ts";
import { pathTo, selectNodes } from "../sql/sale-nodes.ts";
import { type SaleAndState, selectSaleAndState } from "../sql/sale-rows.ts";
import type { CommitmentsDatabase, CommitmentTable } from "../sql/schema.ts";
import { requireWalletRows, requireWholeRows, saleWithState } from "./read-sale.ts";

/** The amounts and extra data of one page: many look-ups of long commitments at once mustn't fill the memory. */
const PAGE_BYTES = 512 * 1024;
/** Commitments up to this length are read at once: a hundred of them, the most that a page has, are no longer than a page. */
const SHORT_BYTES = 5_000;

/** A commitment and the length of its amounts and extra data, which are null in a long one that wasn't read whole. */
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
  /** The commitment ID after which the next page begins; absent on the last page. */
  readonly next?: string;
}

/** The demand to be read: that of counting classes at a tick and above it. */
interface DemandQuery {
  readonly tick: bigint;
  readonly classes: readonly CountingClass[];
}

/**
 * Reads commitments of a wallet, active or not, at one revision, in one message to the database. The demand at the clearing
 * price is read only if one of them has that price, and long commitments only as far as they fit on the page: then all is read
 * again together with it.
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
  for (let selection: Selection = { ...page, whole: false }; ; ) {
    const { row, rows, demand } = await readTogether(database, saleUuid, selection, known);
    const { sale, state } = saleWithState(saleUuid, row);
    requireWholeRows(saleUuid, state);
    requireWalletRows(state);
    const { definition } = sale;
    const active = activeClasses(state, definition.cancelledKeepsAmounts);
    const tick = state.clearingTick;
    const shown = pageOf(rows, selection.limit);
    if (!shown.every(isWhole)) {
      selection = { ...page, limit: shown.length, whole: true };
      continue;
    }
    const records = shown.map(classedRecord).filter((each) => names(each, page.wallet));
    if (tick !== undefined && clearingMatters(records, active, tick) && !isOf(known, tick, active)) {
      known = { tick, classes: active };
      continue;
    }
    const clearing = tick === undefined ? {} : { clearing: { tick, demand } };
    const entries = records.map((record) => positionEntry(record, { definition, active, ...clearing }));
    return { sale, state, entries, ...nextOf(shown, rows.length) };
  }
}

async function readTogether(
  database: CommitmentsDatabase,
  saleUuid: string,
  selection: Selection,
  demand: DemandQuery | undefined,
): Promise<{ row: SaleAndState | undefined; rows: readonly PositionRow[]; demand: bigint }> {
  const { dialect } = database;
  const statements = [selectSaleAndState(dialect, saleUuid), selectPosition(dialect, saleUuid, selection)] as const;
  return database.snapshot(async (transaction) => {
    if (demand === undefined) {
      const [found, { rows }] = await executeAndCommit(transaction, dialect, statements);
      return { row: found.rows[0], rows, demand: 0n };
    }
    const { childrenOf } = pathTo(demand.tick);
    const path = selectNodes(dialect, saleUuid, { classes: demand.classes, keys: [], childrenOf });
    const [found, { rows }, nodes] = await executeAndCommit(transaction, dialect, [...statements, path]);
    return { row: found.rows[0], rows, demand: demandFrom(demand.tick, nodes.rows.map(tickNodeOf)) };
  });
}

const LENGTH = "octet_length(amounts) + octet_length(extra_data)";
const WHOLE_COLUMNS = columnsAs((column) => `commitment.${column}`);
const SHORT_COLUMNS = columnsAs((column) =>
  column === "amounts" || column === "extra_data"
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
