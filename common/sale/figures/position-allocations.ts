import type { Allocation } from "../record/allocation.ts";
import { ascending } from "../record/ascending.ts";
import type { CommitmentRecord, WalletTokenAmount } from "../record/commitment.ts";
import { addTo } from "../record/token-amounts.ts";
import type { AmountNormaliser } from "./amount.ts";

/** The part of a wallet's amount of a token that a sale accepts, for one entity. */
export interface PositionAllocation {
  readonly entityId: string;
  readonly token: string;
  /** Raw, or normalised after `normaliseAllocations`; as `refunded`. */
  readonly accepted: bigint;
  /** The amount that was paid back; absent where nobody says it. */
  readonly refunded?: bigint;
}

/** The part of a commitment that says what is accepted and was paid back of it. */
export type AcceptedRecord = Pick<CommitmentRecord, "entityId" | "refunded" | "amounts" | "accepted">;

/**
 * Works out what a contract accepts and has paid back of a wallet, for each token of which it has committed or is accepted
 * something: by entity, then by token ascending. A refunded commitment has got back what isn't accepted of it.
 *
 * @param marksRefunds whether the contract marks refunded commitments: see the function of that name
 */
export function allocationsOfRecords(
  records: readonly AcceptedRecord[],
  wallet: string,
  marksRefunds: boolean,
): readonly PositionAllocation[] {
  const sums = new Map<string, PositionAllocation>();
  for (const each of records.flatMap((record) => allocationsOfRecord(record, wallet, marksRefunds))) {
    const key = `${each.entityId}/${each.token}`;
    sums.set(key, sumOf(each, sums.get(key)));
  }
  return [...sums.values()].sort(
    (one, other) => ascending(one.entityId, other.entityId) || ascending(one.token, other.token),
  );
}

/** Adds two allocations of an entity and token. */
function sumOf(one: PositionAllocation, other: PositionAllocation | undefined): PositionAllocation {
  if (other === undefined) return one;
  const sum = { ...one, accepted: one.accepted + other.accepted };
  return one.refunded === undefined ? sum : { ...sum, refunded: one.refunded + (other.refunded ?? 0n) };
}

/** Converts what a feeder has said to be accepted of a wallet. It says nothing about refunds. */
export function allocationsOfRows(rows: readonly Allocation[]): readonly PositionAllocation[] {
  return rows.map(({ entityId, token, accepted }) => ({ entityId, token, accepted }));
}

/** Converts the amounts to the decimals of the sale, each rounded down by itself. */
export function normaliseAllocations(
  normaliser: AmountNormaliser,
  allocations: readonly PositionAllocation[],
): readonly PositionAllocation[] {
  return allocations.map(({ refunded, ...allocation }) => {
    const { token, accepted } = allocation;
    const normalised = { ...allocation, accepted: normaliser.normalise(token, accepted) };
    return refunded === undefined ? normalised : { ...normalised, refunded: normaliser.normalise(token, refunded) };
  });
}

function allocationsOfRecord(
  { entityId, refunded, amounts, accepted = [] }: AcceptedRecord,
  wallet: string,
  marksRefunds: boolean,
): readonly PositionAllocation[] {
  const committed = byToken(amounts, wallet);
  const allocated = byToken(accepted, wallet);
  return [...new Set([...committed.keys(), ...allocated.keys()])].map((token) => {
    const [whole, part] = [committed.get(token) ?? 0n, allocated.get(token) ?? 0n];
    const allocation = { entityId, token, accepted: part };
    return marksRefunds ? { ...allocation, refunded: refunded && whole > part ? whole - part : 0n } : allocation;
  });
}

/** The sums of a wallet's amounts by token, without zeros. */
function byToken(amounts: readonly WalletTokenAmount[], wallet: string): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const each of amounts) if (each.wallet === wallet && each.amount > 0n) addTo(sums, each.token, each.amount);
  return sums;
}
