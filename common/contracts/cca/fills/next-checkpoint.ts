import { ALL_MPS, type Checkpoint } from "./checkpoint.ts";

/** The demand that a checkpoint finds, times 2^96. */
export interface DemandAtPrice {
  /** The price of now: smallest currency units per smallest token unit, times 2^96. */
  readonly price: bigint;
  /** Sum of the effective demands of all bids above that price. */
  readonly above: bigint;
  /** The same of all bids at that price. */
  readonly at: bigint;
}

/**
 * Returns the checkpoint that follows, as the contract makes it: bids above the price get their share of what was issued since the last
 * checkpoint, and those at the price what is left, up to their own share.
 *
 * @param last the last checkpoint; undefined before the first one
 * @param block its block, and `mps` the ten-millionths of the supply that are issued before it
 * @param supply smallest units of the token
 */
export function nextCheckpoint(
  last: Checkpoint | undefined,
  { block, mps }: Pick<Checkpoint, "block" | "mps">,
  { price, above, at }: DemandAtPrice,
  supply: bigint,
): Checkpoint {
  const issued = mps - (last?.mps ?? 0n);
  const left = (supply * price - above) * issued;
  const wanted = at * issued;
  return {
    block,
    mps,
    price,
    raisedAtPrice: (last?.price === price ? last.raisedAtPrice : 0n) + (wanted < left ? wanted : left),
    mpsPerPrice: (last?.mpsPerPrice ?? 0n) + (issued << 192n) / price,
  };
}

/** Returns the checkpoint of the end, from the last one before it. @param endBlock the auction's */
export function finalCheckpoint(
  last: Checkpoint | undefined,
  endBlock: bigint,
  demand: DemandAtPrice,
  supply: bigint,
): Checkpoint {
  return nextCheckpoint(last, { block: endBlock, mps: ALL_MPS }, demand, supply);
}
