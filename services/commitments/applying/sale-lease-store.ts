import { sql } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { Lease } from "../base/domain/lease.ts";
import type { SaleState } from "../base/domain/sale-state.ts";
import { decodeSaleState, saleNotFound } from "../base/sale-rows.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";

/**
 * Replaces the lease of a sale by what `decide` returns for its state and the database's clock. The sale's row is locked first, so
 * that an apply under the epoch before can't overtake.
 *
 * @throws ServiceError `not_found`, `unavailable`, and whatever `decide` throws.
 */
export async function changeLease(
  database: CommitmentsDatabase,
  saleUuid: string,
  decide: (state: SaleState, nowMillis: bigint) => Lease,
): Promise<Lease> {
  const key = bytesOfHex(saleUuid);
  return database.writeExclusive(saleUuid, async (transaction) => {
    const query = transaction
      .selectFrom("sale_state")
      .selectAll()
      .select(database.dialect.nowMillis.as("now_ms"))
      .where("sale", "=", key);
    const row = await database.dialect.lockRows(query).executeTakeFirst();
    if (row === undefined) throw saleNotFound(saleUuid);
    const lease = decide(decodeSaleState(row), BigInt(row.now_ms));
    await transaction
      .updateTable("sale_state")
      .set({ lease_holder: lease.holder, lease_epoch: lease.epoch, lease_until_ms: lease.untilMillis })
      .where("sale", "=", key)
      .execute();
    return lease;
  });
}

export interface HeldLease {
  readonly saleUuid: string;
  readonly holder: string;
  readonly epoch: bigint;
  readonly durationMillis: bigint;
}

/**
 * Prolongs a lease that its holder still has under the same epoch, by one statement. As `nextLease` does, it prolongs one that has
 * expired, as long as nobody has taken it.
 *
 * @returns false if another one has it or had it in between, or the sale is withdrawn or gone.
 * @throws ServiceError `unavailable`
 */
export async function prolongLease(
  database: CommitmentsDatabase,
  { saleUuid, holder, epoch, durationMillis }: HeldLease,
): Promise<boolean> {
  const update = database.query
    .updateTable("sale_state")
    .set({ lease_until_ms: sql<bigint>`${database.dialect.nowMillis} + ${durationMillis}` })
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("lease_holder", "=", holder)
    .where("lease_epoch", "=", epoch)
    .where("status", "!=", "withdrawn");
  // Waits in this process while a change of the sale has its row.
  const { numUpdatedRows } = await database.runExclusive(saleUuid, () =>
    database.retry(() => update.executeTakeFirstOrThrow()),
  );
  return numUpdatedRows === 1n;
}
