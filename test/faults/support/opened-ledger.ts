import { randomUUID } from "node:crypto";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";
import { createCommitmentsStore } from "../../../services/commitments/create-store.ts";
import { createSale } from "../../../services/commitments/sales/create-sale-rpc.ts";
import { openUnchecked } from "../../support/sales/unchecked-sales.ts";
import { SaleLedger } from "./sale-ledger.ts";

/** Creates and opens a sale, which then has revision 2. @returns its ledger */
export async function openedLedger(database: CommitmentsDatabase, definition: SaleDefinition): Promise<SaleLedger> {
  const store = createCommitmentsStore(database);
  const uuid = randomUUID();
  await createSale(store, { uuid, tenancy: "test", definition, ownerAccountUuid: "" });
  await openUnchecked(store, uuid);
  return new SaleLedger(uuid, definition);
}
