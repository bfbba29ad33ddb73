const Q96_BITS = 96n;
const MPS = 10_000_000n;
const HIGHEST_PRICE = 2n ** 160n;

/** The part of an auction that the figures depend on. */
export interface AuctionTerms {
  readonly supply: bigint;
  readonly floorPrice: bigint;
  readonly tickSpacing: bigint;
  readonly startBlock: bigint;
  readonly endBlock: bigint;
  readonly steps: readonly { readonly mps: bigint; readonly blocks: bigint }[];
}

export interface ModelBid {
  readonly block: bigint;
  readonly maxPrice: bigint;
  readonly amount: bigint;
}

/** A checkpoint, with the totals that the contract has after it. */
export interface ModelCheckpoint {
  readonly block: bigint;
  readonly price: bigint;
  readonly raisedAtPrice: bigint;
  readonly mpsPerPrice: bigint;
  readonly mps: bigint;
  readonly raised: bigint;
  readonly cleared: bigint;
}

/** Tokens and refund of a bid. */
export interface ModelFill {
  readonly tokens: bigint;
  /** Undefined: version 1.0.0 lets it never leave. */
  readonly refund: bigint | undefined;
  /** The checkpoints to name at the exit; undefined for a bid above the last price, which needs none. */
  readonly hints: readonly [lastFull: bigint, outbid: bigint] | undefined;
}

/** Returns the ten-millionths of the supply that are issued before a block, counted block by block. */
export function issuedBefore({ startBlock, steps }: AuctionTerms, block: bigint): bigint {
  const rates = steps.flatMap(({ mps, blocks }) => Array.from({ length: Number(blocks) }, () => mps));
  return rates.slice(0, Math.max(0, Number(block - startBlock))).reduce((sum, mps) => sum + mps, 0n);
}

/** Returns the price that the next checkpoint has: the smallest at which those who bid more don't demand more than there is. */
export function priceOfNow(terms: AuctionTerms, bids: readonly ModelBid[]): bigint {
  const isEnough = (price: bigint) => demandAbove(terms, bids, price) <= price * terms.supply;
  let [low, high] = [terms.floorPrice, HIGHEST_PRICE];
  while (low < high) {
    const middle = (low + high) / 2n;
    if (isEnough(middle)) high = middle;
    else low = middle + 1n;
  }
  return low;
}

/** Returns the checkpoints that an auction with these bids has, if they are made at these blocks. */
export function checkpointsAt(
  terms: AuctionTerms,
  bids: readonly ModelBid[],
  blocks: readonly bigint[],
): readonly ModelCheckpoint[] {
  const made: ModelCheckpoint[] = [];
  let [raised, cleared] = [0n, 0n];
  for (const block of blocks) {
    const last = made.at(-1);
    const before = bids.filter((bid) => bid.block < block);
    const price = priceOfNow(terms, before);
    const mps = issuedBefore(terms, block);
    const delta = mps - (last?.mps ?? 0n);
    const above = demandAbove(terms, before, price) * delta;
    const at = sum(before.filter(({ maxPrice }) => maxPrice === price).map((bid) => demandOf(terms, bid))) * delta;
    const left = terms.supply * price * delta - above;
    const flowAt = at < left ? at : left;
    raised += above + flowAt;
    cleared += divideUp((above + flowAt) << Q96_BITS, price);
    made.push({
      block,
      price,
      mps,
      raisedAtPrice: (last?.price === price ? last.raisedAtPrice : 0n) + flowAt,
      mpsPerPrice: (last?.mpsPerPrice ?? 0n) + (delta << 192n) / price,
      raised: (raised >> Q96_BITS) / MPS,
      cleared: (cleared >> Q96_BITS) / MPS,
    });
  }
  return made;
}

/**
 * Returns what a bid gets that is out: outbid, or at the end.
 *
 * @param bids all bids of the auction
 */
export function fillOf(
  terms: AuctionTerms,
  bids: readonly ModelBid[],
  checkpoints: readonly ModelCheckpoint[],
  bid: ModelBid,
  version: "1.0.0" | "1.1.0",
): ModelFill {
  const own = checkpoints.filter(({ block }) => block >= bid.block);
  const first = own[0];
  const lastFull = own.findLast(({ price }) => price < bid.maxPrice);
  const lastAt = own.findLast(({ price }) => price === bid.maxPrice);
  const outbid = own.find(({ price }) => price > bid.maxPrice);
  if (first === undefined || lastFull === undefined) throw new Error("the bid was made without a checkpoint below it");
  const amount = bid.amount << Q96_BITS;
  const rest = MPS - issuedBefore(terms, bid.block);
  let spent = divideUp(amount * (lastFull.mps - first.mps), rest);
  let tokens = (amount * (lastFull.mpsPerPrice - first.mpsPerPrice)) / ((1n << 192n) * rest);
  if (lastAt !== undefined) {
    const demand = sum(bids.filter(({ maxPrice }) => maxPrice === bid.maxPrice).map((each) => demandOf(terms, each)));
    spent += divideUp(amount * lastAt.raisedAtPrice, demand * rest);
    tokens += (amount * lastAt.raisedAtPrice) / (demand * rest) / bid.maxPrice;
  }
  const isAbove = outbid === undefined && lastAt === undefined;
  const hints = isAbove ? undefined : ([lastFull.block, outbid?.block ?? 0n] as const);
  if (spent > amount) return { tokens, hints, refund: version === "1.0.0" ? undefined : 0n };
  return { tokens, hints, refund: (amount - spent) >> Q96_BITS };
}

/** Returns the effective demand of a bid: its amount spread over what was still to be issued. */
export function demandOf(terms: AuctionTerms, { amount, block }: ModelBid): bigint {
  return ((amount << Q96_BITS) * MPS) / (MPS - issuedBefore(terms, block));
}

function demandAbove(terms: AuctionTerms, bids: readonly ModelBid[], price: bigint): bigint {
  return sum(bids.filter(({ maxPrice }) => maxPrice > price).map((bid) => demandOf(terms, bid)));
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

function divideUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}
