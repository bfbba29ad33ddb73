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
import { decodeRecord } from "../sql/commitment-rows.ts";
import { bigintOf } from "../sql/encoding.ts";
import { tickNodeOf } from "../sql/loaded-nodes.ts";
import { pathTo, selectNodes } from "../sql/sale-nodes.ts";
import { type SaleAndState, selectSaleAndState } from "../sql/sale-rows.ts";
import type { CommitmentsDatabase, CommitmentTable } from "../sql/schema.ts";
import { requireWalletRows, requireWholeRows, saleWithState } from "./read-sale.ts";

/** The amounts and extra data of one page: many look-ups of long commitments at once mustn't fill the memory. */
const PAGE_BYTES = 512 * 1024;

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
 * price is read only if one of them has that price: then all is read again together with it.
 *
 * @throws ServiceError `not_found` for an unknown or draft sale; `unavailable` before its first whole snapshot, while a change
 *   set is open, and until its rows by wallet are complete.
 */
export async function readPosition(
  database: CommitmentsDatabase,
  saleUuid: string,
  page: PositionPage,
): Promise<PositionRead> {
  for (let known: DemandQuery | undefined; ; ) {
    const { row, rows, demand } = await readTogether(database, saleUuid, page, known);
    const { sale, state } = saleWithState(saleUuid, row);
    requireWholeRows(saleUuid, state);
    requireWalletRows(state);
    const { definition } = sale;
    const active = activeClasses(state, definition.cancelledKeepsAmounts);
    const tick = state.clearingTick;
    const shown = pageOf(rows, page.limit);
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
  page: PositionPage,
  demand: DemandQuery | undefined,
): Promise<{ row: SaleAndState | undefined; rows: readonly CommitmentTable[]; demand: bigint }> {
  const { dialect } = database;
  const statements = [selectSaleAndState(dialect, saleUuid), selectPosition(dialect, saleUuid, page)] as const;
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

/** Builds the statement that reads a page of a wallet's commitments, and one more. */
function selectPosition(
  dialect: SqlDialect,
  saleUuid: string,
  { wallet, after, limit }: PositionPage,
): CompiledQuery<CommitmentTable> {
  const bound = new BoundValues(dialect);
  const tables = "commitment_wallet inner join commitment using (sale, commitment_id)";
  const isOfWallet = `commitment_wallet.sale = ${bound.one(bytesOfHex(saleUuid))} and wallet = ${bound.one(wallet)}`;
  const isAfter = `commitment_wallet.commitment_id > ${bound.one(bytesOfHex(after))}`;
  const order = `order by commitment_wallet.commitment_id limit ${limit + 1}`;
  const text = `select commitment.* from ${tables} where ${isOfWallet} and ${isAfter} ${order}`;
  return CompiledQuery.raw(text, bound.parameters);
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
function pageOf(rows: readonly CommitmentTable[], limit: number): readonly CommitmentTable[] {
  let bytes = 0;
  const end = rows.findIndex(({ amounts, extra_data }) => {
    bytes += amounts.length + extra_data.length;
    return bytes > PAGE_BYTES;
  });
  return rows.slice(0, Math.min(limit, end === -1 ? rows.length : Math.max(1, end)));
}

function nextOf(page: readonly CommitmentTable[], found: number): Pick<PositionRead, "next"> {
  const last = page.length < found ? page.at(-1) : undefined;
  return last === undefined ? {} : { next: hexOfBytes(last.commitment_id) };
}
