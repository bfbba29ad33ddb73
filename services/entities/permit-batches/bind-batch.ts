import type { Transaction } from "kysely";
import type { EntitiesSchema } from "../schema/schema.ts";
import type { BindingFacts, BindingJudgement } from "../wallets/binding.ts";
import { extendSaleWallets, insertSaleWallets, type NewSaleWallet } from "../wallets/sale-wallets-store.ts";

/** A wallet that a permit binds, and who has it before. */
export interface BatchedBinding {
  readonly facts: BindingFacts;
  readonly saleUuid: string;
  /** Milliseconds since 1970. */
  readonly permitExpiresAtMs: bigint;
}

/** Whether an allowed use changes nothing but the wallet's own row, which is nobody else's. */
export function isPlainBinding(
  { binding, entityUuid }: BindingFacts,
  { releases }: Extract<BindingJudgement, { readonly kind: "allowed" }>,
): boolean {
  return releases.length === 0 && (binding === undefined || binding.entityUuid === entityUuid);
}

/**
 * Binds wallets of a sale as `bindWallet` does, where each is a plain binding and no two have the wallet or the entity in
 * common. The transaction has locked the sale.
 */
export async function bindBatch(
  transaction: Transaction<EntitiesSchema>,
  bindings: readonly BatchedBinding[],
  nowMs: bigint,
): Promise<void> {
  const inserted = bindings.filter(({ facts }) => facts.binding === undefined).map(newBinding);
  if (inserted.length > 0) await insertSaleWallets(transaction, inserted, nowMs);
  const extended = bindings.filter(({ facts }) => facts.binding !== undefined).map(newBinding);
  const alike = Map.groupBy(extended, ({ isProved, permitExpiresAtMs }) => `${isProved} ${permitExpiresAtMs}`);
  for (const [first, ...others] of alike.values()) {
    if (first !== undefined) await extendSaleWallets(transaction, first, [first, ...others], nowMs);
  }
}

function newBinding({ facts, saleUuid, permitExpiresAtMs }: BatchedBinding): NewSaleWallet {
  const { entityUuid, wallet, isLinked } = facts;
  return { saleUuid, entityUuid, wallet, isProved: isLinked, permitExpiresAtMs };
}
