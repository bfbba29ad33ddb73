import type { Kysely, Transaction } from "kysely";
import { walletKey } from "../../../common/chains/wallet.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import {
  type BindingFacts,
  type BindingJudgement,
  type BindingRules,
  judgeBinding,
  type KnownBids,
  type SaleWallet,
} from "./binding.ts";
import {
  extendSaleWallets,
  insertSaleWallets,
  moveSaleWallet,
  readBindings,
  releaseSaleWallet,
  type SaleWalletKey,
} from "./sale-wallets-store.ts";
import { readLinkedEntities } from "./wallet-links-store.ts";

/** A permit that is about to be recorded. */
export interface WalletUse extends SaleWalletKey {
  readonly rules: BindingRules;
  /** Bids that were asked for before the transaction. */
  readonly bids: KnownBids;
  /** Milliseconds since 1970. */
  readonly permitExpiresAtMs: bigint;
}

const NOT_LINKED: BindingJudgement = { kind: "refused", reason: "wallet-not-linked" };

/** Reads the facts for `judgeBinding`. */
export async function readBindingFacts(query: Kysely<EntitiesSchema>, key: SaleWalletKey): Promise<BindingFacts> {
  const bindings = await readBindings(query, key);
  return bindingFactsOf(key, bindings, await readLinkedEntities(query, key.wallet));
}

/**
 * Composes the facts for `judgeBinding`.
 *
 * @param bindings those of the entity, and that of the wallet, to whichever entity
 * @param linked the entities to which the wallet is linked
 */
export function bindingFactsOf(
  { entityUuid, wallet }: SaleWalletKey,
  bindings: readonly SaleWallet[],
  linked: readonly string[],
): BindingFacts {
  const isWanted = (each: { readonly wallet: typeof wallet }) => walletKey(each.wallet) === walletKey(wallet);
  const binding = bindings.find(isWanted);
  return {
    entityUuid,
    wallet,
    ...(binding !== undefined && { binding }),
    isLinked: linked.includes(entityUuid),
    isLinkedElsewhere: linked.some((uuid) => uuid !== entityUuid),
    otherWallets: bindings.filter((other) => !isWanted(other)),
  };
}

/**
 * Binds a wallet to an entity in a sale, in the transaction that records a permit. The transaction has locked the sale
 * (`lockSale`): so two entities can't bind one wallet, and concurrent permits can't exceed the number of wallets.
 *
 * @returns the judgement by what is stored now; unless it is `allowed`, nothing has changed. After `unknown` the caller asks
 *   for those bids outside of the transaction, and begins again.
 */
export async function bindWallet(
  transaction: Transaction<EntitiesSchema>,
  use: WalletUse,
  nowMs: bigint,
): Promise<BindingJudgement> {
  const { saleUuid, entityUuid, rules, bids } = use;
  const facts = await readBindingFacts(transaction, use);
  const judgement = judgeBinding(facts, rules, bids, nowMs);
  if (judgement.kind !== "allowed") return judgement;
  const binding = { ...use, isProved: facts.isLinked };
  const holder = facts.binding?.entityUuid;
  if (holder === undefined) await insertSaleWallets(transaction, [binding], nowMs);
  else if (holder === entityUuid) await extendSaleWallets(transaction, binding, [binding], nowMs);
  // Links are made without the sale's lock.
  else if (!(await moveSaleWallet(transaction, binding, holder, nowMs))) return NOT_LINKED;
  for (const released of judgement.releases) await releaseSaleWallet(transaction, saleUuid, released);
  return judgement;
}
