import type { Allocation } from "../../../../common/sale/record/allocation.ts";
import type { WalletTokenAmount } from "../../../../common/sale/record/commitment.ts";
import { addTo } from "../../../../common/sale/record/token-amounts.ts";

const NOTHING: readonly WalletTokenAmount[] = [];

/** A commitment, as far as something of it is accepted. */
interface AcceptedOf {
  readonly entityId: string;
  /** Undefined for nothing. */
  readonly accepted?: readonly WalletTokenAmount[];
}

/** The allocations of entities as they are to be stored. */
export interface AllocationWrites {
  /** Entities whose stored allocations are deleted. */
  readonly cleared: readonly string[];
  /** Allocations to store after that. */
  readonly added: readonly Allocation[];
}

/** The changes that a batch of commitments makes to the allocations of their entities. */
export class AcceptedChanges {
  /** The differences of the sums by token, with a sign. */
  readonly sums = new Map<string, bigint>();
  readonly #entities = new Set<string>();
  readonly #cleared: string[] = [];
  readonly #added: Allocation[] = [];
  /** With a sign. */
  readonly #differences: Allocation[] = [];
  readonly #mayBidAgain: boolean;

  /** @param mayBidAgain whether an entity may have several commitments; else what is accepted of one is all of its entity's */
  constructor(mayBidAgain: boolean) {
    this.#mayBidAgain = mayBidAgain;
  }

  /** The entities whose stored allocations must be known, since they may be of other commitments, too. */
  get entities(): readonly string[] {
    return [...this.#entities];
  }

  /** Replaces what is accepted of a commitment. @param before undefined for a new one @param after undefined for one that is removed */
  replace(before: AcceptedOf | undefined, after: AcceptedOf | undefined): void {
    if (isSame(before, after)) return;
    for (const { token, amount } of before?.accepted ?? NOTHING) addTo(this.sums, token, -amount);
    for (const { token, amount } of after?.accepted ?? NOTHING) addTo(this.sums, token, amount);
    if (!this.#mayBidAgain) {
      if (before?.accepted !== undefined) this.#cleared.push(before.entityId);
      this.#added.push(...allocationsOf(after, 1n));
      return;
    }
    for (const each of [...allocationsOf(before, -1n), ...allocationsOf(after, 1n)]) {
      this.#entities.add(each.entityId);
      this.#differences.push(each);
    }
  }

  /** Returns what is to be stored. @param stored the allocations of `entities`, each whole */
  writes(stored: readonly Allocation[]): AllocationWrites {
    const sums = new Map<string, Allocation>();
    for (const each of [...stored, ...this.#differences]) {
      const key = `${each.entityId}/${each.wallet}/${each.token}`;
      sums.set(key, { ...each, accepted: each.accepted + (sums.get(key)?.accepted ?? 0n) });
    }
    const left = [...sums.values()].filter(({ accepted }) => accepted !== 0n);
    const wrong = left.find(({ accepted }) => accepted < 0n);
    if (wrong !== undefined) throw new Error(`less than nothing would be accepted of entity ${wrong.entityId}`);
    return { cleared: [...this.#cleared, ...this.#entities], added: [...this.#added, ...left] };
  }
}

function allocationsOf(of: AcceptedOf | undefined, sign: bigint): readonly Allocation[] {
  if (of?.accepted === undefined) return [];
  const { entityId } = of;
  return of.accepted.map(({ wallet, token, amount }) => ({ entityId, wallet, token, accepted: sign * amount }));
}

function isSame(one: AcceptedOf | undefined, other: AcceptedOf | undefined): boolean {
  const [some, others] = [one?.accepted ?? NOTHING, other?.accepted ?? NOTHING];
  if (some.length !== others.length || (some.length > 0 && one?.entityId !== other?.entityId)) return false;
  return some.every(({ wallet, token, amount }, index) => {
    const other = others[index];
    return wallet === other?.wallet && token === other.token && amount === other.amount;
  });
}
