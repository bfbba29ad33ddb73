import { bytesOfHex } from "../../../shared/encoding/hex.ts";
import type { Lease } from "../../domain/sale/sale-state.ts";
import { decodeSaleState, saleNotFound } from "../sql/sale-rows.ts";
import type { CommitmentsDatabase } from "../sql/schema.ts";

/**
 * Gives the lease of a sale to `holder`, or prolongs it, unless another holds it now. The database's clock decides, and
 * the row of the sale is locked first, so that an apply with the epoch before can't overtake.
 *
 * @returns the lease as it stands; it is the caller's where its holder is `holder`.
 * @throws ServiceError `not_found`, `unavailable`.
 */
export async function acquireSaleLease(
  database: CommitmentsDatabase,
  saleUuid: string,
  holder: string,
  durationMillis: bigint,
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
    const lease = nextLease(decodeSaleState(row).lease, holder, BigInt(row.now_ms), durationMillis);
    await transaction
      .updateTable("sale_state")
      .set({ lease_holder: lease.holder, lease_epoch: lease.epoch, lease_until_ms: lease.untilMillis })
      .where("sale", "=", key)
      .execute();
    return lease;
  });
}

function nextLease(lease: Lease, holder: string, nowMillis: bigint, durationMillis: bigint): Lease {
  const untilMillis = nowMillis + durationMillis;
  if (lease.holder === holder) return { ...lease, untilMillis };
  if (lease.untilMillis > nowMillis) return lease;
  return { holder, epoch: lease.epoch + 1n, untilMillis };
}
