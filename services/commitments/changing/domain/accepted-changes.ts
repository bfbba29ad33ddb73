import type { Allocation } from "../../../../common/sale/record/allocation.ts";
import type { WalletTokenAmount } from "../../../../common/sale/record/commitment.ts";
import { addTo } from "../../../../common/sale/record/token-amounts.ts";

const NOTHING: readonly WalletTokenAmount[] = [];

/** The changes that a batch of commitments makes to the allocations of their entities, which have one commitment each. */
export class AcceptedChanges {
  /** Entities whose stored allocations are deleted. */
  readonly cleared: string[] = [];
  /** Allocations to store after that. */
  readonly added: Allocation[] = [];
  /** The differences of the sums by token, with a sign. */
  readonly sums = new Map<string, bigint>();

  /** Replaces what is accepted of a commitment. @param before undefined for nothing, as `after` */
  replace(
    commitmentId: string,
    before: readonly WalletTokenAmount[] | undefined,
    after: readonly WalletTokenAmount[] | undefined,
  ): void {
    if ((before === undefined && after === undefined) || isSame(before ?? NOTHING, after ?? NOTHING)) return;
    const entityId = entityOfPaddedId(commitmentId);
    if (entityId === undefined) throw new Error(`commitment ${commitmentId} has allocations and no entity of its own`);
    if (before !== undefined) this.cleared.push(entityId);
    for (const { token, amount } of before ?? NOTHING) addTo(this.sums, token, -amount);
    for (const { wallet, token, amount } of after ?? NOTHING) {
      this.added.push({ entityId, wallet, token, accepted: amount });
      addTo(this.sums, token, amount);
    }
  }
}

function isSame(some: readonly WalletTokenAmount[], others: readonly WalletTokenAmount[]): boolean {
  if (some.length !== others.length) return false;
  return some.every(({ wallet, token, amount }, index) => {
    const other = others[index];
    return wallet === other?.wallet && token === other.token && amount === other.amount;
  });
}

const ENTITY_DIGITS = 32;
const PADDING = "0".repeat(32);

/** Returns the entity whose ID, followed by zeros, is a commitment's ID; undefined for any other commitment ID. */
export function entityOfPaddedId(commitmentId: string): string | undefined {
  return commitmentId.endsWith(PADDING) ? commitmentId.slice(0, ENTITY_DIGITS) : undefined;
}
