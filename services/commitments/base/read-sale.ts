import { isDeepStrictEqual } from "node:util";
import { executeAndCommit } from "../../../common/platform/db/sql/statement-batch.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { tickWidth } from "../../../common/sale/definition/tick-width.ts";
import type { SaleSnapshot } from "../../../common/sale/figures/commitment-data.ts";
import { KEPT } from "../../../common/sale/figures/counting-class.ts";
import { ALL_FILLED, isPublic, type SaleState } from "./domain/sale-state.ts";
import type { SaleWithState } from "./domain/sale-with-state.ts";
import type { LastSeenSales } from "./last-seen-sales.ts";
import { decodeSale, decodeSaleState, saleNotFound, selectSaleAndState, type Tx } from "./sale-rows.ts";
import {
  type SnapshotSelection,
  selectFrozen,
  selectRows,
  snapshotOfFrozen,
  snapshotOfRows,
  snapshotSelection,
} from "./sale-snapshot.ts";
import type { CommitmentsDatabase, SaleStateTable, SaleTable } from "./schema.ts";
import { readSourceStatuses, withSourceStatus } from "./source-status.ts";

const NOT_READ = "the sale's contract hasn't been read whole yet; retry";

export async function readSaleWithState(transaction: Tx, saleUuid: string): Promise<SaleWithState> {
  const row = await transaction
    .selectFrom("sale_state")
    .innerJoin("sale", "sale.sale", "sale_state.sale")
    .selectAll()
    .where("sale_state.sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirst();
  return saleWithState(saleUuid, row);
}

/** Decodes a sale with its state. @throws ServiceError `not_found` without a row. */
export function saleWithState(saleUuid: string, row: (SaleTable & SaleStateTable) | undefined): SaleWithState {
  if (row === undefined) throw saleNotFound(saleUuid);
  return { sale: decodeSale(row), state: decodeSaleState(row) };
}

/** @throws ServiceError `not_found`. */
export async function getSale(database: CommitmentsDatabase, saleUuid: string): Promise<SaleWithState> {
  return database.snapshot(async (transaction) => {
    const read = await readSaleWithState(transaction, saleUuid);
    const statuses = await readSourceStatuses(transaction, database.dialect, [saleUuid]);
    return withSourceStatus(read, statuses);
  });
}

/** The refusal of a public sale whose contract hasn't been read whole yet, with what is known of it. */
export class UnreadSaleError extends ServiceError {
  readonly read: SaleWithState;

  constructor(read: SaleWithState) {
    super("unavailable", NOT_READ);
    this.read = read;
  }
}

/** Refuses sales that the public may not see: drafts, withdrawn sales, and those whose contract wasn't read whole yet. */
export function requireReadable(saleUuid: string, state: SaleState): void {
  if (!isPublic(state)) throw saleNotFound(saleUuid);
  if (!state.hasSnapshot) throw new ServiceError("unavailable", NOT_READ);
}

/** Reads a sale whose rows may be read. While a change set is open they belong to several blocks, and are refused. */
export async function readWholeRows(transaction: Tx, saleUuid: string): Promise<SaleWithState> {
  const read = await readSaleWithState(transaction, saleUuid);
  requireWholeRows(saleUuid, read.state);
  return read;
}

/** Refuses sales whose rows the public may not see, or that belong to several blocks: a change set is open. */
export function requireWholeRows(saleUuid: string, state: SaleState): void {
  requireReadable(saleUuid, state);
  if (state.changeSet !== undefined) throw new ServiceError("unavailable", "a change set is being applied; retry");
}

/** Refuses a sale whose rows by wallet aren't complete: they are being filled in, after an upgrade. */
export function requireWalletRows({ walletsFilledTo }: SaleState): void {
  if (walletsFilledTo === ALL_FILLED) return;
  throw new ServiceError("unavailable", "the commitments of each wallet are still being collected; retry");
}

export interface SaleSnapshotRead extends SaleWithState {
  readonly snapshot: SaleSnapshot;
}

/** A revision that must have been reached. It is compared only within its generation. */
export interface MinimumRevision {
  readonly generation: string;
  readonly revision: bigint;
}

/** Selection for a sale that this process hasn't seen. Only the stored sale says what is needed. */
const UNSEEN: SnapshotSelection = { width: tickWidth({}), classes: [KEPT], floorTicks: undefined };

/** The store as reads of a sale's body need it. */
interface SaleReads {
  readonly database: CommitmentsDatabase;
  readonly lastSeen: LastSeenSales;
}

/**
 * Reads what the public sees of a sale, consistent at one revision.
 *
 * @throws ServiceError `not_found` for an unknown or draft sale; `unavailable` before its first whole snapshot, or if
 *   `minimum` can't be seen yet.
 */
export async function readSaleSnapshot(
  { database, lastSeen }: SaleReads,
  saleUuid: string,
  minimum: MinimumRevision,
): Promise<SaleSnapshotRead> {
  const seen = lastSeen.get(saleUuid);
  for (let selection = seen === undefined ? UNSEEN : snapshotSelection(seen); ; ) {
    const { row, frozen, rows } = await readTogether(database, saleUuid, selection);
    const { sale, state } = saleWithState(saleUuid, row);
    if (isPublic(state) && !state.hasSnapshot) throw new UnreadSaleError({ sale, state });
    requireReadable(saleUuid, state);
    if (minimum.generation === state.generation && state.revision < minimum.revision) {
      throw new ServiceError("unavailable", `revision ${minimum.revision} can't be seen yet; retry`);
    }
    if (state.changeSet !== undefined) return { sale, state, snapshot: snapshotOfFrozen(frozen) };
    const { definition } = sale;
    const needed = snapshotSelection({ definition, state });
    if (isDeepStrictEqual(selection, needed)) {
      return { sale, state, snapshot: snapshotOfRows(state, needed, rows) };
    }
    selection = needed;
    lastSeen.note(saleUuid, { definition, state });
  }
}

/** Reads a sale, its frozen body and what some of its rows show: in one message, and at one revision. */
async function readTogether(database: CommitmentsDatabase, saleUuid: string, selection: SnapshotSelection) {
  const { dialect } = database;
  const statements = [
    selectSaleAndState(dialect, saleUuid),
    selectFrozen(dialect, saleUuid),
    ...selectRows(dialect, saleUuid, selection),
  ] as const;
  const results = await database.snapshot((transaction) => executeAndCommit(transaction, dialect, statements));
  const [found, frozen, ...rows] = results;
  return { row: found.rows[0], frozen: frozen.rows, rows };
}
