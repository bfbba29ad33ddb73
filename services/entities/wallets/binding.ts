import { type Wallet, walletKey } from "../../../common/chains/wallet.ts";
import { BID_FINALITY_MS } from "../base/lifetimes.ts";

/** A wallet that a permit has bound to an entity in a sale. Times are milliseconds since 1970. */
export interface SaleWallet {
  readonly wallet: Wallet;
  readonly entityUuid: string;
  /**
   * Whether a signature that counts in the sale has shown that the wallet is the entity's: at any time since the permit, or it is
   * linked now.
   */
  readonly isProved: boolean;
  /** Whether the contract can't have tied the wallet to another entity before; false for a binding of an earlier version. */
  readonly isCompared: boolean;
  readonly boundAtMs: bigint;
  /** The end of the last permit for it. */
  readonly permitExpiresAtMs: bigint;
}

/** The facts about one entity that wants to use one wallet in a sale. */
export interface BindingFacts {
  readonly entityUuid: string;
  readonly wallet: Wallet;
  /** The wallet's binding in the sale, to whichever entity. */
  readonly binding?: SaleWallet;
  /** Whether a signature that counts in the sale has linked the wallet to the entity. */
  readonly isLinked: boolean;
  /** Whether a signature has linked it to another entity. */
  readonly isLinkedElsewhere: boolean;
  /** The entity's other wallets in the sale. */
  readonly otherWallets: readonly SaleWallet[];
}

/** The part of a sale's rules that bindings depend on. */
export interface BindingRules {
  /** At least 1. */
  readonly maxWalletsPerEntity: number;
  readonly linkingRequired: boolean;
}

/** The bids with a wallet in a sale's contract, as far as it was read. */
export interface WalletBids {
  /** Whose they are: of the entity in question, of others, of both, or of nobody. Bids without an amount count, too. */
  readonly bidder: "own" | "other" | "both" | "nobody";
  /** The time of the block up to which every bid was read. Undefined if that isn't known. */
  readonly completeUntilMs: bigint | undefined;
}

/** The wallets with which an entity has bid in a sale, as far as the sale's contract was read. */
export interface EntityBids {
  /** Keys of wallets (`walletKey`). */
  readonly wallets: ReadonlySet<string>;
  /** See `WalletBids`. */
  readonly completeUntilMs: bigint | undefined;
}

/** The contract's bids, as far as they were asked for. */
export interface ContractBids {
  /** Those with the wallet in question; absent: not asked for. */
  readonly ofWallet?: WalletBids;
  /** Those of the entity in question; absent: not asked for. */
  readonly ofEntity?: EntityBids;
}

/** The state of a wallet in a sale, for one entity. */
export type WalletState =
  | { readonly kind: "usable" }
  /** Held by the entity without a proof or a bid, and another one has proved since that it is theirs: no further permit. */
  | { readonly kind: "displaced" }
  /** Held by another entity without a proof or a bid. Nobody's at this time at the earliest, by the chain's clock, if no bid comes. */
  | { readonly kind: "held"; readonly untilMs: bigint }
  /** Another entity's for good: by a bid in the contract, or as only that one has proved it. */
  | { readonly kind: "others"; readonly by: "bid" | "proof" }
  /** Depends on the contract's bids with it. */
  | { readonly kind: "unknown" };

export type BindingRefusal = "wallet-not-linked" | "max-wallets-used";

/** Whether an entity may use a wallet. `unknown` asks for bids; the judgement can be repeated with them. */
export type BindingJudgement =
  | {
      readonly kind: "allowed";
      /** Wallets of the entity that it loses, because they don't count any more and it needs the room. */
      readonly releases: readonly SaleWallet[];
    }
  | { readonly kind: "refused"; readonly reason: BindingRefusal }
  | { readonly kind: "unknown"; readonly bidsOf: keyof ContractBids };

const ALLOWED: BindingJudgement = { kind: "allowed", releases: [] };
const NOT_LINKED: BindingJudgement = { kind: "refused", reason: "wallet-not-linked" };
const NO_ROOM: BindingJudgement = { kind: "refused", reason: "max-wallets-used" };

/**
 * Judges whether an entity may use a wallet in a sale.
 *
 * @param nowMs milliseconds since 1970
 */
export function judgeBinding(
  facts: BindingFacts,
  rules: BindingRules,
  bids: ContractBids,
  nowMs: bigint,
): BindingJudgement {
  if (rules.linkingRequired && !facts.isLinked) return NOT_LINKED;
  const state = walletState(facts, bids.ofWallet);
  if (state.kind === "unknown") return { kind: "unknown", bidsOf: "ofWallet" };
  if (state.kind !== "usable") return NOT_LINKED;
  return isOwn(facts) ? ALLOWED : judgeNumber(facts, rules, bids.ofEntity, nowMs);
}

/**
 * Decides what a wallet is for an entity in a sale, where a wallet belongs to one entity. A bid in the contract is stronger than a proof,
 * as the contract ties the wallet to its entity for good. Without both, a binding lasts until its last permit has ended and the
 * contract has been read beyond that; from the proof of another entity on there is no further permit. So no two entities have permits
 * for one wallet at a time.
 *
 * @param bids undefined: not asked for
 */
export function walletState(facts: BindingFacts, bids: WalletBids | undefined): WalletState {
  const { binding, isLinked, isLinkedElsewhere } = facts;
  if (bids?.bidder === "own") return { kind: "usable" };
  if (bids?.bidder === "other") return { kind: "others", by: "bid" };
  if (binding !== undefined && isOwn(facts)) return ownState(binding, facts, bids);
  if (binding !== undefined && bids === undefined) return { kind: "unknown" };
  if (bids?.bidder === "both") return binding === undefined ? { kind: "usable" } : { kind: "others", by: "bid" };
  if (binding?.isProved) return { kind: "others", by: "proof" };
  if (binding !== undefined && !isOver(binding, bids)) return { kind: "held", untilMs: endOf(binding) };
  return isLinkedElsewhere && !isLinked ? { kind: "others", by: "proof" } : { kind: "usable" };
}

/** The entity's own wallet stays its own, unless another one has shown that it owns it, and there is no bid. */
function ownState(binding: SaleWallet, { isLinkedElsewhere }: BindingFacts, bids: WalletBids | undefined): WalletState {
  const isClaimed = !binding.isProved && isLinkedElsewhere;
  if (bids === undefined && (isClaimed || !binding.isCompared)) return { kind: "unknown" };
  return isClaimed && bids?.bidder === "nobody" ? { kind: "displaced" } : { kind: "usable" };
}

function isOwn({ binding, entityUuid }: BindingFacts): boolean {
  return binding?.entityUuid === entityUuid;
}

/** Judges whether the entity may use one wallet more. */
function judgeNumber(
  { otherWallets }: BindingFacts,
  { maxWalletsPerEntity }: BindingRules,
  own: EntityBids | undefined,
  nowMs: bigint,
): BindingJudgement {
  if (otherWallets.length < maxWalletsPerEntity) return ALLOWED;
  const expired = otherWallets.filter((binding) => !binding.isProved && binding.permitExpiresAtMs <= nowMs);
  if (otherWallets.length - expired.length >= maxWalletsPerEntity) return NO_ROOM;
  if (own === undefined) return { kind: "unknown", bidsOf: "ofEntity" };
  const releases = expired.filter((binding) => !own.wallets.has(walletKey(binding.wallet)) && isOver(binding, own));
  return otherWallets.length - releases.length < maxWalletsPerEntity ? { kind: "allowed", releases } : NO_ROOM;
}

/**
 * Whether the binding's permits have ended, and every bid that could have used one was read since. Blocks tell the time: the contract
 * takes no permit in a block at or after its end, and no block is earlier than the one before it.
 */
function isOver(binding: SaleWallet, bids: Pick<WalletBids, "completeUntilMs"> | undefined): boolean {
  return bids?.completeUntilMs !== undefined && bids.completeUntilMs > endOf(binding);
}

/** Returns the end of a binding without proof and bid, by the chain's clock. */
function endOf({ permitExpiresAtMs }: SaleWallet): bigint {
  return permitExpiresAtMs + BID_FINALITY_MS;
}

/** An entity to which a signature has linked a wallet. */
interface LinkedEntity {
  readonly wallet: Wallet;
  readonly entityUuid: string;
}

/** The bindings of a sale's wallets as far as some entities and wallets are concerned, and the links of these wallets. */
export class SaleBindings {
  readonly #byWallet: ReadonlyMap<string, SaleWallet>;
  readonly #byEntity: ReadonlyMap<string, readonly SaleWallet[]>;
  readonly #links: ReadonlyMap<string, readonly LinkedEntity[]>;

  /** @param bindings those of the entities, and those of the wallets, to whichever entity; the same one may come twice */
  constructor(bindings: readonly SaleWallet[], links: readonly LinkedEntity[]) {
    this.#byWallet = new Map(bindings.map((binding) => [walletKey(binding.wallet), binding]));
    this.#byEntity = Map.groupBy(this.#byWallet.values(), ({ entityUuid }) => entityUuid);
    this.#links = Map.groupBy(links, ({ wallet }) => walletKey(wallet));
  }

  /** Composes the facts for `judgeBinding`. */
  factsOf({ entityUuid, wallet }: LinkedEntity): BindingFacts {
    const key = walletKey(wallet);
    const binding = this.#byWallet.get(key);
    const linked = this.#links.get(key) ?? [];
    const own = this.#byEntity.get(entityUuid) ?? [];
    return {
      entityUuid,
      wallet,
      ...(binding !== undefined && { binding }),
      isLinked: linked.some((link) => link.entityUuid === entityUuid),
      isLinkedElsewhere: linked.some((link) => link.entityUuid !== entityUuid),
      otherWallets: own.filter((other) => walletKey(other.wallet) !== key),
    };
  }
}
