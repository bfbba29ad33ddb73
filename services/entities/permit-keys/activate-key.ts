import { formatWallet } from "../../../common/chains/wallet.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { EntitiesContext } from "../base/context.ts";
import { lockSaleForChange } from "../base/lock-sale.ts";
import { readSaleFacts, type SaleFacts } from "../base/sale-facts.ts";
import { contractKnowledge } from "./contract-knowledge.ts";
import { type RecordKeyChange, requireChain } from "./create-key.ts";
import { activeKeyOf, type PermitKey, requireActivatable, requireKey } from "./permit-key.ts";
import { readKeys, storeActivation } from "./permit-keys-store.ts";

export interface Activation {
  readonly saleUuid: string;
  readonly keyUuid: string;
  /** Whether a key is activated that the contract doesn't know, or can't be asked about. */
  readonly override: boolean;
}

/**
 * Makes the next key the active one; the one that was active signs no more, and its private key is erased. Does nothing if
 * the key is active already.
 *
 * @throws ServiceError `not_found`; `failed_precondition` for a retired key, for one of another chain, and for one that the
 *   contract doesn't know
 */
export async function activateKey(
  dependencies: EntitiesContext,
  { saleUuid, keyUuid, override }: Activation,
  record: RecordKeyChange,
): Promise<{ readonly key: PermitKey; readonly sale: SaleFacts }> {
  const { database, clock } = dependencies;
  const sale = await readSaleFacts(dependencies, saleUuid);
  const chain = requireChain(sale);
  const storedKeys = await database.read((query) => readKeys(query, saleUuid));
  const requestedKey = requireActivatable(storedKeys, keyUuid, chain);
  if (requestedKey.status === "active") return { key: requestedKey, sale };
  if (!override) await requireKnown(dependencies, sale, requestedKey);
  await record([
    { field: "Active permit key", before: addressOf(activeKeyOf(storedKeys, chain)), after: addressOf(requestedKey) },
  ]);
  const key = await database.writeExclusive(saleUuid, async (transaction) => {
    await lockSaleForChange(transaction, database.dialect, saleUuid);
    const lockedKey = requireActivatable(await readKeys(transaction, saleUuid), keyUuid, chain);
    if (lockedKey.status === "active") return lockedKey;
    await storeActivation(transaction, lockedKey, clock());
    return requireKey(await readKeys(transaction, saleUuid), keyUuid);
  });
  return { key, sale };
}

async function requireKnown(dependencies: EntitiesContext, sale: SaleFacts, key: PermitKey): Promise<void> {
  const { accepted, problem } = await contractKnowledge(dependencies, sale, key);
  if (accepted === true) return;
  const unknown = `the sale's contract doesn't accept permits of ${addressOf(key)} yet`;
  throw new ServiceError("failed_precondition", accepted === false ? unknown : problem);
}

function addressOf(key: PermitKey | undefined): string {
  return key === undefined ? "" : formatWallet({ kind: key.kind, bytes: key.address });
}
