import { formatWallet } from "../../../common/chains/wallet.ts";
import type { EntitiesContext } from "../base/context.ts";
import { lockSale } from "../base/lock-sale.ts";
import type { RecordKeyChange } from "./create-key.ts";
import { requireDeletable } from "./permit-key.ts";
import { deleteKey, readKeys } from "./permit-keys-store.ts";

/**
 * Deletes a key that doesn't sign.
 *
 * @throws ServiceError `not_found`; `failed_precondition` for the active key, and for one whose permits may be valid still
 */
export async function retireKey(
  { database, clock }: EntitiesContext,
  { saleUuid, keyUuid }: { readonly saleUuid: string; readonly keyUuid: string },
  record: RecordKeyChange,
): Promise<void> {
  const storedKey = requireDeletable(await database.read((query) => readKeys(query, saleUuid)), keyUuid, clock());
  const address = formatWallet({ kind: storedKey.kind, bytes: storedKey.address });
  await record([
    { field: storedKey.status === "next" ? "Next permit key" : "Retired permit key", before: address, after: "" },
  ]);
  await database.writeExclusive(saleUuid, async (transaction) => {
    await lockSale(transaction, database.dialect, saleUuid);
    const keys = await readKeys(transaction, saleUuid);
    // The outcome of the first attempt may have been lost.
    if (keys.every(({ uuid }) => uuid !== keyUuid)) return;
    await deleteKey(transaction, requireDeletable(keys, keyUuid, clock()).uuid);
  });
}
