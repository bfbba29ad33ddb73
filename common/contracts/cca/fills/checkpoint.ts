/** All of an auction's supply, in the unit in which its schedule issues it. */
export const ALL_MPS = 10_000_000n;

/** A checkpoint of an auction, as the contract stores it. */
export interface Checkpoint {
  readonly block: bigint;
  /** Smallest currency units per smallest token unit, times 2^96. The checkpoint sells what was issued since the one before it. */
  readonly price: bigint;
  /** Raised from bids at exactly this price since it has been the price, times 2^96 · 10^7. */
  readonly raisedAtPrice: bigint;
  /** Sum of ⌊ten-millionths · 2^192 ÷ price⌋ over this checkpoint and those before it. */
  readonly mpsPerPrice: bigint;
  /** Ten-millionths of the supply that were issued before the block: 0 to 10^7. */
  readonly mps: bigint;
}
