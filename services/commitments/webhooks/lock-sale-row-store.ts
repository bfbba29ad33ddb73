import type { Tx } from "../base/sale-rows.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";

/** Locks the row of a sale, as whoever changes the sale does. @returns false if there is none */
export async function lockSaleRow(
  { dialect }: CommitmentsDatabase,
  transaction: Tx,
  sale: Uint8Array,
): Promise<boolean> {
  const query = transaction.selectFrom("sale_state").select("sale").where("sale", "=", sale);
  return (await dialect.lockRows(query).executeTakeFirst()) !== undefined;
}
