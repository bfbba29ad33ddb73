import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../shared/encoding/hex.ts";
import type { EntitiesDatabase, EntitiesSchema } from "../schema/schema.ts";
import {
  type BindingFacts,
  type BindingJudgement,
  type BindingRules,
  judgeBinding,
  type KnownBids,
} from "./binding.ts";
import {
  extendSaleWallet,
  findSaleWallet,
  insertSaleWallet,
  lockSaleWallet,
  moveSaleWallet,
  readSaleWallets,
  releaseSaleWallet,
  type SaleWalletKey,
} from "./sale-wallets-store.ts";
import { walletKey } from "./wallet.ts";
import { readLinkedEntities } from "./wallet-links-store.ts";

/** A permit that is about to be recorded. */
export interface WalletUse extends SaleWalletKey {
  readonly rules: BindingRules;
  /** Bids that were asked for before the transaction. */
  readonly bids: KnownBids;
  /** Milliseconds since 1970. */
  readonly permitExpiresAtMs: bigint;
}

/** Reads the facts for `judgeBinding`. */
export async function readBindingFacts(
  query: Kysely<EntitiesSchema>,
  { saleUuid, entityUuid, wallet }: SaleWalletKey,
): Promise<BindingFacts> {
  const binding = await findSaleWallet(query, saleUuid, wallet);
  const linked = await readLinkedEntities(query, wallet);
  const wallets = await readSaleWallets(query, saleUuid, entityUuid);
  return {
    entityUuid,
    wallet,
    ...(binding !== undefined && { binding }),
    isLinked: linked.includes(entityUuid),
    isLinkedElsewhere: linked.some((uuid) => uuid !== entityUuid),
    otherWallets: wallets.filter((other) => walletKey(other.wallet) !== walletKey(wallet)),
  };
}

/**
 * Binds a wallet to an entity in a sale, in the transaction that records a permit. It locks the entity's row of the sale first,
 * so that concurrent permits can't exceed the number of wallets, and judges with what it finds then. The entity must have its
 * IDs in the sale.
 *
 * @returns the judgement; unless it is `allowed`, nothing has changed. After `unknown` the caller asks for those bids outside of
 *   the transaction, and begins again.
 */
export async function bindWallet(
  transaction: Transaction<EntitiesSchema>,
  { dialect }: Pick<EntitiesDatabase, "dialect">,
  use: WalletUse,
  nowMs: bigint,
): Promise<BindingJudgement> {
  await lockSaleEntity(transaction, dialect, use);
  try {
    return await bindLocked(transaction, dialect, use, nowMs);
  } catch (error) {
    if (!dialect.isDuplicateKey(error)) throw error;
    // Another entity has bound the wallet since it was judged. Its row is there to be judged now.
    return bindLocked(transaction, dialect, use, nowMs);
  }
}

async function bindLocked(
  transaction: Transaction<EntitiesSchema>,
  dialect: EntitiesDatabase["dialect"],
  use: WalletUse,
  nowMs: bigint,
): Promise<BindingJudgement> {
  const { saleUuid, entityUuid, wallet, rules, bids } = use;
  await lockSaleWallet(transaction, dialect, saleUuid, wallet);
  const facts = await readBindingFacts(transaction, use);
  const judgement = judgeBinding(facts, rules, bids, nowMs);
  if (judgement.kind !== "allowed") return judgement;
  const binding = { ...use, isProved: facts.isLinked };
  const holder = facts.binding?.entityUuid;
  if (holder === undefined) await insertSaleWallet(transaction, binding, nowMs);
  else if (holder === entityUuid) await extendSaleWallet(transaction, binding, nowMs);
  else await moveSaleWallet(transaction, binding, nowMs);
  for (const released of judgement.releases) await releaseSaleWallet(transaction, saleUuid, released);
  return judgement;
}

async function lockSaleEntity(
  transaction: Transaction<EntitiesSchema>,
  dialect: EntitiesDatabase["dialect"],
  { saleUuid, entityUuid }: SaleWalletKey,
): Promise<void> {
  const row = transaction
    .selectFrom("sale_entity")
    .select("sale")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("entity", "=", bytesOfHex(entityUuid));
  await dialect.lockRows(row).executeTakeFirstOrThrow();
}
