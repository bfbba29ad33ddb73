import { ContradictoryAnswers, type PinnedBlock } from "../../chains/evm/pinned-block.ts";
import { mayFitIfSmaller } from "../../chains/evm/rpc-fault.ts";
import type { AllocationFacts, EntityAllocation, TokenSums } from "../contract-facts.ts";
import { bidsCall, MAX_BIDS } from "./auction-calls.ts";
import { AuctionCourseReader } from "./auction-course.ts";
import { bidId } from "./auction-rows.ts";
import type { AuctionBid } from "./decode-bids.ts";
import type { AuctionTerms } from "./decode-terms.ts";
import { type AuctionCourse, outcomeOf } from "./fills/bid-outcome.ts";
import type { EntityOf } from "./owner-entities.ts";

const TOO_LONG =
  "the auction has more checkpoints, or prices of bids, than are read, so what it accepts of each bid isn't known";
const NOT_MADE =
  "no node has gas enough for the auction's last checkpoint, so whether it has raised enough isn't known until somebody calls its checkpoint()";

/** The sum of what is accepted of the first bids of an auction. It is the same as long as the course is. */
interface KnownTotals {
  readonly course: AuctionCourse;
  readonly count: bigint;
  readonly totals: TokenSums;
}

/**
 * Says what an auction that is over accepts of each bid: what the bid spends, rounded up to whole units, as the contract refunds the rest
 * rounded down. No function of the contract has the sum of that: `currencyRaised()` is rounded otherwise. So the totals are our own, of
 * another reading of the same bids.
 */
export class AuctionAllocations {
  readonly #terms: AuctionTerms;
  readonly #course: AuctionCourseReader;
  readonly #entityOf: EntityOf;
  #known: KnownTotals | undefined;

  constructor(terms: AuctionTerms, entityOf: EntityOf) {
    this.#terms = terms;
    this.#course = new AuctionCourseReader(terms);
    this.#entityOf = entityOf;
  }

  /** Adds up what is accepted. @param count number of bids @throws the errors of `PinnedBlock.call` */
  async facts(pinned: PinnedBlock, count: bigint, signal: AbortSignal): Promise<AllocationFacts> {
    const course = await this.#course.read(pinned, signal);
    if (course === undefined) return { problem: TOO_LONG };
    if (!course.isOver) return {};
    if (course.isGraduated === undefined) return { problem: NOT_MADE };
    if (this.#known?.course !== course || this.#known.count !== count) {
      this.#known = { course, count, totals: await this.#totals(pinned, course, count, signal) };
    }
    return { totals: this.#known.totals };
  }

  /** Returns what is accepted of bids, one of each. @throws the errors of `PinnedBlock.call` */
  async of(
    pinned: PinnedBlock,
    bids: readonly AuctionBid[],
    signal: AbortSignal,
  ): Promise<readonly EntityAllocation[]> {
    const course = await this.#course.read(pinned, signal);
    if (course === undefined) throw new ContradictoryAnswers(TOO_LONG);
    const { currency: token } = this.#terms;
    return bids.map((bid) => ({
      entityId: this.#entityOf(bid.owner),
      commitmentId: bidId(bid.id),
      accepted: [{ wallet: bid.owner, token, amount: acceptedOf(course, bid) }],
    }));
  }

  async #totals(pinned: PinnedBlock, course: AuctionCourse, count: bigint, signal: AbortSignal): Promise<TokenSums> {
    let sum = 0n;
    for (let [from, size] = [0n, MAX_BIDS]; from < count; ) {
      const to = from + size < count ? from + size : count;
      const call = bidsCall(pinned.contract, { from, to }, pinned.block.number);
      const bids = await pinned.call(call, signal).catch((error: unknown) => {
        size = (to - from) / 2n;
        if (size === 0n || !mayFitIfSmaller(error)) throw error;
        return undefined;
      });
      if (bids === undefined) continue;
      for (const bid of bids) sum += acceptedOf(course, bid);
      from = to;
    }
    return new Map(sum === 0n ? [] : [[this.#terms.currency, sum]]);
  }
}

/** Returns what the auction keeps of a bid: all of one that can never leave. @throws ContradictoryAnswers */
function acceptedOf(course: AuctionCourse, bid: AuctionBid): bigint {
  try {
    const { fill, exit } = outcomeOf(course, bid);
    if (fill === undefined && !("never" in exit)) throw new RangeError(`what bid ${bid.id} gets isn't known`);
    return bid.amount - (fill?.refund ?? 0n);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ContradictoryAnswers(error.message);
  }
}
