import type { SourceCommitment } from "../../../common/contracts/source-commitment.ts";
import type { Difference, Snapshot } from "../../../common/contracts/source-snapshot.ts";

export const USDX = `0x${"a1".repeat(20)}`;
export const WALLET = `0x${"b1".repeat(20)}`;

/** An ID of `length` hex digits that ends in `number`. */
export function hexId(number: number, length = 64): string {
  return number.toString(16).padStart(length, "0");
}

/** A commitment, by default of 1,000 of the first token at 10 ticks, at the index of its number. */
export function commitment(number: number, change: Partial<SourceCommitment> = {}): SourceCommitment {
  return {
    commitmentId: hexId(number),
    entityId: hexId(number, 32),
    createdAtSeconds: 1_769_860_800n,
    priceTicks: 10n,
    lockup: false,
    refunded: false,
    amounts: [{ wallet: WALLET, token: USDX, amount: 1_000n }],
    extraData: new Uint8Array(),
    sourceIndex: BigInt(number),
    ...change,
  };
}

export function commitments(count: number): SourceCommitment[] {
  return Array.from({ length: count }, (_, number) => commitment(number));
}

export function upserted(...upserts: readonly SourceCommitment[]): Difference {
  return { upserts, removals: [] };
}

/** A snapshot with these differences, by default a sweep at height 7. */
export function snapshotOf(differences: Iterable<Difference>, change: Partial<Snapshot> = {}): Snapshot {
  return {
    position: { height: 7n, hash: hexId(7) },
    stage: "commitment",
    headHeight: 9n,
    kind: "sweep",
    count: 3n,
    differences: (async function* () {
      yield* differences;
    })(),
    rowsRead: () => 2n,
    warning: () => undefined,
    ...change,
  };
}
