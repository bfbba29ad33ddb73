import { type Wallet, walletKey } from "../../../common/chains/wallet.ts";

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

/** The wallets with which an entity has bid in a sale, as far as the sale's contract was read. */
export interface EntityBids {
  /** Keys of wallets (`walletKey`). */
  readonly wallets: ReadonlySet<string>;
  /** The time of the block up to which every bid is in `wallets`. Undefined if that isn't known. */
  readonly completeUntilMs: bigint | undefined;
}

/** Bids by entity UUID, of those entities for which they were asked. */
export type BidsByEntity = ReadonlyMap<string, EntityBids>;

export type BindingRefusal = "wallet-not-linked" | "max-wallets-used";

/** Whether an entity may use a wallet. `unknown` asks for the bids of an entity; the judgement can be repeated with them. */
export type BindingJudgement =
  | {
      readonly kind: "allowed";
      /** Wallets of the entity that it loses, because they don't count any more and it needs the room. */
      readonly releases: readonly SaleWallet[];
    }
  | { readonly kind: "refused"; readonly reason: BindingRefusal }
  | { readonly kind: "unknown"; readonly entityUuid: string };

const ALLOWED: BindingJudgement = { kind: "allowed", releases: [] };
const NOT_LINKED: BindingJudgement = { kind: "refused", reason: "wallet-not-linked" };
const NO_ROOM: BindingJudgement = { kind: "refused", reason: "max-wallets-used" };

/**
 * Judges whether an entity may use a wallet in a sale. A wallet belongs to one entity. Without a signature a binding lasts until
 * its last permit has expired, or for good if a bid arrives; a signature of another entity ends it at once unless there is a bid.
 * A binding by a signature or a bid never changes.
 */
export function judgeBinding(
  facts: BindingFacts,
  rules: BindingRules,
  bids: BidsByEntity,
  nowMs: bigint,
): BindingJudgement {
  if (rules.linkingRequired && !facts.isLinked) return NOT_LINKED;
  const { entityUuid, binding } = facts;
  if (binding?.entityUuid === entityUuid) return judgeOwn(binding, facts, bids);
  return (
    (binding === undefined ? judgeUnbound(facts) : judgeForeign(binding, facts, bids, nowMs)) ??
    judgeNumber(facts, rules, bids, nowMs)
  );
}

/** The entity's own wallet stays its own, unless another one has shown that it owns it, and there is no bid. */
function judgeOwn(binding: SaleWallet, { isLinkedElsewhere }: BindingFacts, bids: BidsByEntity): BindingJudgement {
  if (binding.isProved || !isLinkedElsewhere) return ALLOWED;
  const own = bids.get(binding.entityUuid);
  if (own === undefined) return { kind: "unknown", entityUuid: binding.entityUuid };
  return hasBid(binding, own) ? ALLOWED : NOT_LINKED;
}

/** @returns why a wallet that nobody uses isn't for this entity; undefined if it is */
function judgeUnbound({ isLinked, isLinkedElsewhere }: BindingFacts): BindingJudgement | undefined {
  return isLinkedElsewhere && !isLinked ? NOT_LINKED : undefined;
}

/** @returns why another entity's wallet stays its own, or whose bids must be known; undefined if it doesn't stay */
function judgeForeign(
  binding: SaleWallet,
  facts: BindingFacts,
  bids: BidsByEntity,
  nowMs: bigint,
): BindingJudgement | undefined {
  if (binding.isProved) return NOT_LINKED;
  const holders = bids.get(binding.entityUuid);
  if (holders === undefined) return { kind: "unknown", entityUuid: binding.entityUuid };
  if (hasBid(binding, holders)) return NOT_LINKED;
  if (facts.isLinked) return undefined;
  return isOver(binding, holders, nowMs) ? judgeUnbound(facts) : NOT_LINKED;
}

/** Judges whether the entity may use one wallet more. */
function judgeNumber(
  { entityUuid, otherWallets }: BindingFacts,
  { maxWalletsPerEntity }: BindingRules,
  bids: BidsByEntity,
  nowMs: bigint,
): BindingJudgement {
  if (otherWallets.length < maxWalletsPerEntity) return ALLOWED;
  const expired = otherWallets.filter((binding) => !binding.isProved && binding.permitExpiresAtMs <= nowMs);
  if (otherWallets.length - expired.length >= maxWalletsPerEntity) return NO_ROOM;
  const own = bids.get(entityUuid);
  if (own === undefined) return { kind: "unknown", entityUuid };
  const releases = expired.filter((binding) => !hasBid(binding, own) && isOver(binding, own, nowMs));
  return otherWallets.length - releases.length < maxWalletsPerEntity ? { kind: "allowed", releases } : NO_ROOM;
}

function hasBid({ wallet }: SaleWallet, { wallets }: EntityBids): boolean {
  return wallets.has(walletKey(wallet));
}

/** Whether the binding's permits have expired, and every bid that could have used one was read since. */
function isOver({ permitExpiresAtMs }: SaleWallet, { completeUntilMs }: EntityBids, nowMs: bigint): boolean {
  return permitExpiresAtMs <= nowMs && completeUntilMs !== undefined && completeUntilMs > permitExpiresAtMs;
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
