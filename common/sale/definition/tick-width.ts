/** The bytes of the number of ticks in the keys of a sale's sums by price: of 64 bits, or of 160. */
export type TickWidth = 8 | 20;

/** The width for bids of any sale that aren't in its index. */
export const WIDEST_TICKS: TickWidth = 20;

/**
 * Returns the bytes in which the index of a sale's sums by price holds a number of ticks. It is settled with the definition as the
 * sale opens: the stored keys are of it.
 */
export function tickWidth({ widePrices = false }: { readonly widePrices?: boolean | undefined }): TickWidth {
  return widePrices ? WIDEST_TICKS : 8;
}

/** Returns the highest number of ticks of a sale. */
export function highestTicks(width: TickWidth): bigint {
  return (1n << BigInt(8 * width)) - 1n;
}
