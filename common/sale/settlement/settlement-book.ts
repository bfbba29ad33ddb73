import type { AuctionPricing, FixedPricing, SaleDefinition } from "../definition/sale.ts";
import type { WalletTokenAmount } from "../record/commitment.ts";
import type { SaleStage } from "../state/stage.ts";

/** The state of a sale that a settlement is worked out from. */
export interface SettlementInput {
  /** Lower-case canonical text. */
  readonly saleUuid: string;
  readonly generation: bigint;
  readonly revision: bigint;
  readonly status: "open" | "settled";
  /** Absent where nobody says it. */
  readonly stage?: SaleStage;
  /** Absent for a sale that isn't read from a contract. */
  readonly source?: SettlementSource;
}

/** The contract whose commitments are settled, and the block at which they last changed. */
export interface SettlementSource {
  /** The chain's name at the operator. */
  readonly chain: string;
  /** EIP-155; absent on a chain without one. */
  readonly chainId?: bigint;
  /** Address of the contract or sale account, in canonical form. */
  readonly contract: string;
  readonly height: bigint;
  /** Lower-case hex without `0x`; empty on a chain that is read by slot. */
  readonly hash: string;
}

/** The settings that a settlement follows from. */
export interface SettlementTerms extends Pick<SaleDefinition, "priceTick" | "paymentTokens" | "paymentTokenDecimals"> {
  readonly pricing: SettledPricing;
}

/** A pricing by which amounts are divided at once, at the end. */
export type SettledPricing = FixedPricing | Omit<AuctionPricing, "clearingRule">;

/** A commitment that counts. */
export interface BookCommitment {
  /** 64 lower-case hex digits. */
  readonly commitmentId: string;
  /** 32 lower-case hex digits. */
  readonly entityId: string;
  /** 0 or more; in a fixed-price sale 0 means the sale's price. */
  readonly priceTicks: bigint;
  /** Raw; zeros are left out of a settlement. */
  readonly amounts: readonly WalletTokenAmount[];
}

/** An entity or a wallet of which nothing is accepted. */
export type Refusal = { readonly reason: string } & (
  | { readonly kind: "entity"; readonly entityId: string }
  | { readonly kind: "wallet"; readonly wallet: string }
);

/** Returns the ID of the entity, or the address of the wallet, that is refused. No entity ID is an address. */
export function refusedId(refusal: Refusal): string {
  return refusal.kind === "entity" ? refusal.entityId : refusal.wallet;
}

/** The most that is accepted of an entity. */
export interface EntityLimit {
  readonly entityId: string;
  /** Smallest payment units (of `paymentTokenDecimals`), 0 or more. */
  readonly largest: bigint;
}

/** Everything that a settlement is worked out from, in any order. */
export interface SettlementBook {
  readonly input: SettlementInput;
  readonly terms: SettlementTerms;
  /** No entity and no wallet twice. */
  readonly refusals: readonly Refusal[];
  /** No entity twice. */
  readonly limits: readonly EntityLimit[];
  /** No commitment twice. */
  readonly commitments: readonly BookCommitment[];
}
