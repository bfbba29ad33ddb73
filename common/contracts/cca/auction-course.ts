import { ContradictoryAnswers, type PinnedBlock } from "../../chains/evm/pinned-block.ts";
import { WIDEST_TICKS } from "../../sale/definition/tick-width.ts";
import { outbiddingTick } from "../../sale/figures/clearing-search.ts";
import { tickOfBids } from "../../sale/figures/tick-of-bids.ts";
import { checkpointsCall, courseCall, ticksCall } from "./auction-calls.ts";
import type { CourseNow, TickPart } from "./decode-course.ts";
import type { AuctionTerms } from "./decode-terms.ts";
import type { AuctionCourse } from "./fills/bid-outcome.ts";
import type { Checkpoint } from "./fills/checkpoint.ts";
import { CheckpointList } from "./fills/checkpoint-list.ts";
import { finalCheckpoint } from "./fills/next-checkpoint.ts";

/** Default for the most checkpoints of an auction, and the most ticks. Each takes about 300 bytes, and 255 of them a call. */
const MAX_ENTRIES = 200_000;

/** Prices and demands are times 2^96. */
const Q96_TICK = { numerator: 1n, denominator: 2n ** 96n };

/** The terms of an auction that its course depends on. */
export interface CourseOptions extends Pick<AuctionTerms, "version" | "totalSupply" | "floorPrice" | "endBlock"> {
  /** Most checkpoints that are read, and most prices of bids; a few more may be. 200,000 by default. */
  readonly maxEntries?: number;
}

/** A course that was read, with its block. */
interface ReadCourse {
  readonly block: PinnedBlock["block"];
  readonly course: AuctionCourse | undefined;
}

/**
 * Reads the course of one auction. From the end on nothing changes any more, so that a later block has the same course if it descends from
 * the block at which that was read: one call shows it, for up to 256 blocks.
 */
export class AuctionCourseReader {
  readonly #options: CourseOptions;
  #last: ReadCourse | undefined;

  constructor(options: CourseOptions) {
    this.#options = options;
  }

  /**
   * Reads the course up to a block.
   *
   * @returns undefined for an auction of more checkpoints or prices of bids than are read
   * @throws the errors of `PinnedBlock.call`
   */
  async read(pinned: PinnedBlock, signal: AbortSignal): Promise<AuctionCourse | undefined> {
    const last = this.#last;
    if (last?.block.hash === pinned.block.hash) return last.course;
    const now = await pinned.call(courseCall(pinned.contract, last?.block.number ?? 0n), signal);
    const mayKeep = last !== undefined && now.ancestor === last.block.hash && this.#isLasting(last, now);
    const course = mayKeep ? last.course : await readCourse(pinned, this.#options, now, signal);
    this.#last = { block: pinned.block, course };
    return course;
  }

  /** Whether a later block has the same: what a node couldn't compute may be known then, once it or somebody makes the last checkpoint. */
  #isLasting({ block, course }: ReadCourse, { made }: CourseNow): boolean {
    const isUnknown = course !== undefined && course.isGraduated === undefined;
    return isOver(this.#options, block) && !(isUnknown && made.block === this.#options.endBlock);
  }
}

async function readCourse(
  pinned: PinnedBlock,
  options: CourseOptions,
  now: CourseNow,
  signal: AbortSignal,
): Promise<AuctionCourse | undefined> {
  const { version, floorPrice, endBlock, maxEntries = MAX_ENTRIES } = options;
  const [stored, demands] = await Promise.all([
    readCheckpoints(pinned, now.storedBlock, maxEntries, signal),
    readDemands(pinned, floorPrice, maxEntries, signal),
  ]);
  if (stored === undefined || demands === undefined) return undefined;
  const over = isOver(options, pinned.block);
  const isMade = !over || now.made.block === endBlock;
  if (over && now.storedBlock !== endBlock)
    stored.push(isMade ? now.made : computedEnd(options, stored.at(-1), demands));
  return {
    version,
    checkpoints: listOf(stored),
    isOver: over,
    // Once true it stays.
    isGraduated: now.isGraduated || (isMade ? false : undefined),
    demandAt: (price) => demands.get(price) ?? 0n,
  };
}

/** The checkpoint of the end, where no node has gas enough for it. */
function computedEnd(
  { endBlock, floorPrice, totalSupply }: CourseOptions,
  last: Checkpoint | undefined,
  demands: ReadonlyMap<bigint, bigint>,
): Checkpoint {
  const search = outbiddingTick({ floorTicks: floorPrice, offeredAmount: totalSupply }, Q96_TICK, WIDEST_TICKS);
  const sums = Array.from(demands, ([price, demand]) => [price, { amount: 0n, commitments: 1n, demand }] as const);
  const price = tickOfBids(search, WIDEST_TICKS, new Map(sums));
  let above = 0n;
  for (const [at, demand] of demands) if (at > price) above += demand;
  return finalCheckpoint(last, endBlock, { price, above, at: demands.get(price) ?? 0n }, totalSupply);
}

/** Follows the checkpoints from the newest one backwards. @returns them in ascending order; undefined if there are too many */
async function readCheckpoints(
  pinned: PinnedBlock,
  newest: bigint,
  most: number,
  signal: AbortSignal,
): Promise<Checkpoint[] | undefined> {
  const found: Checkpoint[] = [];
  for (let block = newest; block !== 0n; ) {
    if (found.length > most) return undefined;
    const { checkpoints, next } = await pinned.call(checkpointsCall(pinned.contract, block), signal);
    found.push(...checkpoints);
    block = next;
  }
  return found.reverse();
}

/** Reads the demand of each price at which bids were made; undefined if there are too many. */
async function readDemands(
  pinned: PinnedBlock,
  floorPrice: bigint,
  most: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<bigint, bigint> | undefined> {
  const demands = new Map<bigint, bigint>();
  for (let price: bigint | undefined = floorPrice; price !== undefined; ) {
    if (demands.size > most) return undefined;
    const part: TickPart = await pinned.call(ticksCall(pinned.contract, price), signal);
    for (const tick of part.ticks) demands.set(tick.price, tick.demand);
    price = part.next;
  }
  return demands;
}

function isOver({ endBlock }: CourseOptions, { number }: PinnedBlock["block"]): boolean {
  return number >= endBlock;
}

function listOf(checkpoints: readonly Checkpoint[]): CheckpointList {
  try {
    return new CheckpointList(checkpoints);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ContradictoryAnswers(error.message);
  }
}
