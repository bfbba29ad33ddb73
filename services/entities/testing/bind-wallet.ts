import type { Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { executeBatch, executeNamed } from "../../../common/platform/db/sql/statement-batch.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { factsStatements } from "../eligibility/facts-store.ts";
import { saleBindings } from "../eligibility/load-facts.ts";
import { type BindingJudgement, type BindingRules, type ContractBids, judgeBinding } from "../wallets/binding.ts";
import { bindStatements, changeBindings } from "../wallets/bindings-store.ts";
import type { SaleWalletKey } from "../wallets/sale-wallets-store.ts";

/** A permit of which only the wallet matters. */
export interface WalletUse extends SaleWalletKey {
  /** The EIP-155 ID of the sale's chain. */
  readonly chainId: bigint;
  readonly rules: BindingRules;
  readonly bids: ContractBids;
  /** Milliseconds since 1970. */
  readonly permitExpiresAtMs: bigint;
}

/** Binds a wallet by the statements of a permit, under the sale's lock, if it may be bound. */
export async function bindWallet(
  transaction: Transaction<EntitiesSchema>,
  dialect: SqlDialect,
  { saleUuid, chainId, entityUuid, wallet, rules, bids, permitExpiresAtMs }: WalletUse,
  nowMs: bigint,
): Promise<BindingJudgement> {
  const entity = { entityUuid, publicUuid: "", saleSpecificId: new Uint8Array(16) };
  const reading = { dialect, sale: { saleUuid, chainId }, entities: [entity], wallets: [wallet], isLocking: true };
  const rows = await executeNamed(transaction, dialect, factsStatements(reading));
  const facts = saleBindings(rows).factsOf({ entityUuid, wallet });
  const judgement = judgeBinding(facts, rules, bids, nowMs);
  if (judgement.kind !== "allowed") return judgement;
  const ids = { saleUuid, chainId, entityUuid, wallet, holder: facts.binding?.entityUuid };
  const times = { boundAtMs: nowMs, permitExpiresAtMs };
  const binding = {
    ...ids,
    ...times,
    isProved: facts.isLinked,
    isContracts: bids.ofWallet?.bidder === "own",
    releases: judgement.releases,
  };
  const isBound = await changeBindings(transaction, binding);
  if (!isBound) return { kind: "refused", reason: "wallet-not-linked" };
  await executeBatch(transaction, dialect, bindStatements(dialect, [binding]));
  return judgement;
}
