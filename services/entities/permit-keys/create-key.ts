import { randomUUID } from "node:crypto";
import { formatWallet } from "../../../common/chains/wallet.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { SettingChange } from "../../../common/sale/words/setting-change.ts";
import type { EntitiesContext } from "../base/context.ts";
import { lockSaleForChange } from "../base/lock-sale.ts";
import { readSaleFacts, type SaleFacts } from "../base/sale-facts.ts";
import { type PermitKey, requireNoNextKey, type SaleChain } from "./permit-key.ts";
import { insertKey, readKeys } from "./permit-keys-store.ts";

/** Records a change of a sale's keys in its activity log, before it happens. */
export type RecordKeyChange = (settings: readonly SettingChange[]) => Promise<void>;

/**
 * Creates the next key of a sale.
 *
 * @throws ServiceError `not_found`; `failed_precondition` if there is a next key, or the sale has no contract
 */
export async function createKey(
  dependencies: EntitiesContext,
  saleUuid: string,
  record: RecordKeyChange,
): Promise<{ readonly key: PermitKey; readonly sale: SaleFacts }> {
  const { database, clock, permitSigner } = dependencies;
  const sale = await readSaleFacts(dependencies, saleUuid);
  const { kind, chain } = requireChain(sale);
  requireNoNextKey(await database.read((query) => readKeys(query, saleUuid)));
  const uuid = randomUUID();
  const newKey = await permitSigner.createKey(uuid, kind);
  const key: PermitKey = { uuid, saleUuid, status: "next", kind, chain, ...newKey, createdAtMs: clock() };
  await record([{ field: "Next permit key", before: "", after: formatWallet({ kind, bytes: key.address }) }]);
  await database.writeExclusive(saleUuid, async (transaction) => {
    await lockSaleForChange(transaction, database.dialect, saleUuid);
    const keys = await readKeys(transaction, saleUuid);
    // The outcome of the first attempt may have been lost.
    if (keys.some((stored) => stored.uuid === uuid)) return;
    requireNoNextKey(keys);
    await insertKey(transaction, key);
  });
  return { key, sale };
}

/** Returns the chain of a sale. @throws ServiceError `failed_precondition` */
export function requireChain({ kind, chain }: SaleFacts): SaleChain {
  if (kind !== undefined && chain !== undefined) return { kind, chain };
  throw new ServiceError("failed_precondition", "the sale has no contract: enter it in the sale's definition first");
}
