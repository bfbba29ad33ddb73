import { bytesOfHex } from "../../shared/hex.ts";
import { ServiceError } from "../../shared/service-error.ts";
import type { SaleSnapshot } from "../domain/sale-snapshot.ts";
import type { SaleState } from "../domain/sale-state.ts";
import type { SaleWithState } from "../domain/sale-with-state.ts";
import { decodeSale, decodeSaleState, saleNotFound, type Tx } from "./sale-rows.ts";
import { readFrozen, readRowsSnapshot } from "./sale-snapshot.ts";
import type { CommitmentsDatabase } from "./schema.ts";
import { readSourceStatuses, withSourceStatus } from "./source-status.ts";

export async function readSaleWithState(transaction: Tx, saleUuid: string): Promise<SaleWithState> {
  const row = await transaction
    .selectFrom("sale_state")
    .innerJoin("sale", "sale.sale", "sale_state.sale")
    .selectAll()
    .where("sale_state.sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirst();
  if (row === undefined) throw saleNotFound(saleUuid);
  return { sale: decodeSale(row), state: decodeSaleState(row) };
}

/** @throws ServiceError `not_found`. */
export async function getSale(database: CommitmentsDatabase, saleUuid: string): Promise<SaleWithState> {
  return database.snapshot(async (transaction) => {
    const read = await readSaleWithState(transaction, saleUuid);
    const statuses = await readSourceStatuses(transaction, [saleUuid]);
    return withSourceStatus(read, statuses);
  });
}

/** Refuses what the public may not see: a draft, and a sale whose contract wasn't read whole yet. */
export function requireReadable(saleUuid: string, { status, hasSnapshot }: SaleState): void {
  if (status === "draft") throw saleNotFound(saleUuid);
  if (!hasSnapshot) throw new ServiceError("unavailable", "the sale's contract hasn't been read whole yet; retry");
}

/** For reads of all rows: while a change set is open they are of no single block. */
export async function readWholeRows(transaction: Tx, saleUuid: string): Promise<SaleWithState> {
  const read = await readSaleWithState(transaction, saleUuid);
  requireReadable(saleUuid, read.state);
  if (read.state.changeSet === undefined) return read;
  throw new ServiceError("unavailable", "a change set is being applied; retry");
}

export interface SaleSnapshotRead extends SaleWithState {
  readonly snapshot: SaleSnapshot;
}

/** A revision that must have been reached; it counts within its generation only. */
export interface MinimumRevision {
  readonly generation: string;
  readonly revision: bigint;
}

/**
 * What readers see of a sale, consistent at one revision.
 *
 * @throws ServiceError `not_found` for an unknown or draft sale; `unavailable` before its first whole snapshot, or where
 *   `minimum` can't be seen yet.
 */
export async function readSaleSnapshot(
  database: CommitmentsDatabase,
  saleUuid: string,
  minimum: MinimumRevision,
): Promise<SaleSnapshotRead> {
  return database.snapshot(async (transaction) => {
    const { sale, state } = await readSaleWithState(transaction, saleUuid);
    requireReadable(saleUuid, state);
    if (minimum.generation === state.generation && state.revision < minimum.revision) {
      throw new ServiceError("unavailable", `revision ${minimum.revision} can't be seen yet; retry`);
    }
    const hidden = state.changeSet !== undefined;
    const snapshot = hidden
      ? await readFrozen(transaction, saleUuid)
      : await readRowsSnapshot(transaction, saleUuid, sale.definition, state);
    return { sale, state, snapshot };
  });
}
