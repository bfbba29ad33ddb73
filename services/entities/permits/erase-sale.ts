import { saleErasure as alerts } from "../alerts/erase-sale.ts";
import type { EntitiesContext } from "../base/context.ts";
import { lockSale } from "../base/lock-sale.ts";
import type { SaleErasure } from "../base/sale-erasure.ts";
import { saleErasure as days } from "../days/erase-sale.ts";
import { saleErasure as entities } from "../entities/erase-sale.ts";
import { saleErasure as members } from "../members/erase-sale.ts";
import { saleErasure as keys } from "../permit-keys/erase-sale.ts";
import { saleErasure as rules } from "../rules/erase-sale.ts";
import { saleErasure as setup } from "../setup/erase-sale.ts";
import { storeErasure } from "./sale-permits-store.ts";

/** The subjects that keep data about a sale. Permits stay, with the entities, wallets and members that they have bound. */
const SUBJECTS: readonly SaleErasure[] = [keys, rules, members, entities, setup, alerts, days];

/** Erases the rules, members, deny list and keys of a sale that was removed, and what people are mailed about it. May be repeated. */
export async function eraseSale(
  { database, clock }: Pick<EntitiesContext, "database" | "clock">,
  saleUuid: string,
): Promise<void> {
  await database.writeExclusive(saleUuid, async (transaction) => {
    await lockSale(transaction, database.dialect, saleUuid);
    await storeErasure(transaction, saleUuid, clock());
    for (const { short } of SUBJECTS) await short?.(transaction, saleUuid);
  });
  for (const { long } of SUBJECTS) await long?.(database, saleUuid);
}
