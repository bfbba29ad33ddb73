import { randomUUID } from "node:crypto";
import type { SaleDefinition } from "../../../services/commitments/domain/sale/sale.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/store/sql/schema.ts";
import { createSale, openSale } from "../../../services/commitments/use-cases/sales.ts";
import { SaleLedger } from "./sale-ledger.ts";

/** Creates and opens a sale, which is then at revision 2. @returns its ledger. */
export async function openedLedger(database: CommitmentsDatabase, definition: SaleDefinition): Promise<SaleLedger> {
  const uuid = randomUUID();
  await createSale(database, { uuid, tenancy: "test", definition, ownerAccountUuid: "" });
  await openSale(database, uuid, async () => {});
  return new SaleLedger(uuid, definition);
}
