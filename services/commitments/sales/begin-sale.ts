import { randomUUID } from "node:crypto";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import {
  type BegunSale,
  type BegunSaleKey,
  insertBegunSale,
  ownerOfBegunSale,
  readBegunSale,
  storeBegunEntries,
} from "./store/begun-sales.ts";

/**
 * Returns the sale that a person has begun to set up; begins one if there is none.
 *
 * @param admit called with the UUID before a sale is begun; it may refuse by throwing
 */
export async function beginSale(
  { database }: CommitmentsStore,
  key: BegunSaleKey,
  admit: (saleUuid: string) => Promise<void>,
): Promise<BegunSale> {
  const begun = await database.snapshot((transaction) => readBegunSale(transaction, key));
  if (begun !== undefined) return begun;
  const saleUuid = randomUUID();
  await admit(saleUuid);
  return database.write(async (transaction) => {
    await insertBegunSale(database.dialect, transaction, key, saleUuid);
    return (await readBegunSale(transaction, key)) ?? { saleUuid, entries: "" };
  });
}

/** Stores what a person has entered for a sale. @throws ServiceError `not_found` if this person hasn't begun it */
export async function keepBegunSale(
  { database }: CommitmentsStore,
  { saleUuid, ownerAccountUuid, entries }: { saleUuid: string; ownerAccountUuid: string; entries: string },
): Promise<void> {
  await database.write(async (transaction) => {
    const owner = await ownerOfBegunSale(transaction, saleUuid);
    if (owner !== ownerAccountUuid) throw new ServiceError("not_found", `the sale ${saleUuid} wasn't begun`);
    await storeBegunEntries(transaction, saleUuid, entries);
  });
}
