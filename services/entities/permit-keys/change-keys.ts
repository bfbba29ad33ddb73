import { randomUUID } from "node:crypto";
import { formatWallet } from "../../../common/chains/wallet.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { SettingChange } from "../../../common/sale/words/setting-change.ts";
import type { EntitiesContext } from "../base/context.ts";
import { lockSale, lockSaleForChange } from "../base/lock-sale.ts";
import { readSaleFacts, type SaleFacts } from "../base/sale-facts.ts";
import { contractKnowledge } from "./contract-knowledge.ts";
import {
  activeKeyOf,
  type PermitKey,
  requireActivatable,
  requireDeletable,
  requireKey,
  requireNoNextKey,
  type SaleChain,
} from "./permit-key.ts";
import { deleteKey, insertKey, readKeys, storeActivation } from "./permit-keys-store.ts";

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

interface Activation {
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
