import type { Transaction } from "kysely";
import { bytesOfHex } from "../../shared/encoding/hex.ts";
import type { EntitiesSchema } from "../schema/schema.ts";

/** Deletes the rules and freezes of a sale that is deleted or withdrawn. */
export async function eraseRules(transaction: Transaction<EntitiesSchema>, saleUuid: string): Promise<void> {
  const sale = bytesOfHex(saleUuid);
  await transaction.deleteFrom("sale_rules").where("sale", "=", sale).execute();
  await transaction.deleteFrom("freeze").where("sale", "=", sale).execute();
}
