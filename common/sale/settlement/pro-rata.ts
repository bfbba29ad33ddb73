/** The part of a room that amounts of one rank get. */
export interface Shares {
  /** Parts in the order of the amounts. */
  readonly shares: readonly bigint[];
  /** Part of a room that rounding leaves where the amounts exceed it: less than their number; 0 where they don't. */
  readonly remainder: bigint;
}

/**
 * Divides a room among amounts: each gets all of it where the room suffices, else its part of the room, rounded down. What rounding
 * leaves is given to nobody, so that no order decides who gets it.
 *
 * @param room undefined for one without a bound
 */
export function proRata(amounts: readonly bigint[], room: bigint | undefined): Shares {
  const total = sumOf(amounts);
  if (room === undefined || total <= room) return { shares: amounts, remainder: 0n };
  const shares = amounts.map((amount) => (amount * room) / total);
  return { shares, remainder: room - sumOf(shares) };
}

/** Adds amounts up. */
export function sumOf(amounts: Iterable<bigint>): bigint {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum;
}
