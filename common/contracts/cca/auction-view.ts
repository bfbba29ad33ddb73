import type { BlockTimes } from "../../chains/evm/block-times.ts";
import type { PinnedBlock } from "../../chains/evm/pinned-block.ts";
import type { AllocationFacts, ContractFacts, EntityAllocation, IndexRange } from "../contract-facts.ts";
import type { ContractView } from "../evm-family.ts";
import type { SourceCommitment } from "../source-commitment.ts";
import { AuctionAllocations } from "./auction-allocations.ts";
import { bidsCall, MAX_BIDS, NEXT_BID_ID } from "./auction-calls.ts";
import { rowOfBid } from "./auction-rows.ts";
import { stageNumberAt } from "./auction-stages.ts";
import { readTermsAt } from "./auction-terms.ts";
import type { AuctionBid } from "./decode-bids.ts";
import type { AuctionTermsAt } from "./decode-terms.ts";
import type { EntityOf } from "./owner-entities.ts";

/** The view of an auction. It remembers the terms, which don't change. */
export class AuctionView implements ContractView {
  readonly isUnsure = false;
  readonly warnings = [];
  readonly #times: BlockTimes;
  readonly #entityOf: EntityOf;
  /** Those of the last block at which they were asked for; absent before, and after they couldn't be read. */
  #terms: { readonly hash: string; readonly read: Promise<AuctionTermsAt> } | undefined;

  /** Whether a block has shown that the auction got its tokens, although nobody has bid. */
  #hasTokens = false;
  #allocations: AuctionAllocations | undefined;
  /** The bids of the last range, for whoever asks for what is accepted of the same rows. */
  #lastBids: { readonly key: string; readonly read: Promise<readonly AuctionBid[]> } | undefined;

  constructor(times: BlockTimes, entityOf: EntityOf) {
    this.#times = times;
    this.#entityOf = entityOf;
  }

  async facts(pinned: PinnedBlock, signal: AbortSignal): Promise<ContractFacts> {
    const [count, { terms }] = await Promise.all([this.count(pinned, signal), this.#known(pinned, signal)]);
    const { number } = pinned.block;
    const isOpen = number >= terms.startBlock && number < terms.endBlock;
    const mayAwaitTokens = count === 0n && isOpen && !this.#hasTokens;
    const awaitsTokens = mayAwaitTokens && (await this.#termsAt(pinned, signal)).awaitsTokens;
    // Tokens that have come don't go again before the end.
    if (mayAwaitTokens && !awaitsTokens) this.#hasTokens = true;
    return { count, stageNumber: awaitsTokens ? 0 : stageNumberAt(terms, number) };
  }

  count(pinned: PinnedBlock, signal: AbortSignal): Promise<bigint> {
    return pinned.call(NEXT_BID_ID, signal);
  }

  async rows(pinned: PinnedBlock, range: IndexRange, signal: AbortSignal): Promise<readonly SourceCommitment[]> {
    const [{ terms }, bids] = await Promise.all([this.#known(pinned, signal), this.#bids(pinned, range, signal)]);
    const timeOf = await this.#times.of(
      new Set(bids.map(({ startBlock }) => startBlock)),
      pinned.block,
      signal,
      pinned.nodeTime,
    );
    const { currency } = terms;
    return bids.map((bid) => {
      const { owner, startBlock } = bid;
      return rowOfBid(bid, { currency, entityId: this.#entityOf(owner), timeSeconds: timeOf(startBlock) });
    });
  }

  /** Asks for the terms anew, as sweeps do. An auction has no version of the reference contract's. */
  async release(pinned: PinnedBlock, signal: AbortSignal): Promise<undefined> {
    await this.#termsAt(pinned, signal);
  }

  async saleUuid(): Promise<undefined> {
    return undefined;
  }

  async paymentTokens(pinned: PinnedBlock, signal: AbortSignal): Promise<readonly string[]> {
    return [(await this.#known(pinned, signal)).terms.currency];
  }

  /** An owner is an entity of one wallet. */
  async maxWalletsPerEntity(): Promise<number> {
    return 1;
  }

  async allocationFacts(pinned: PinnedBlock, count: bigint, signal: AbortSignal): Promise<AllocationFacts> {
    return (await this.#allocationsOf(pinned, signal)).facts(pinned, count, signal);
  }

  async allocations(pinned: PinnedBlock, range: IndexRange, signal: AbortSignal): Promise<readonly EntityAllocation[]> {
    const bids = this.#bids(pinned, range, signal);
    const [of, read] = await Promise.all([this.#allocationsOf(pinned, signal), bids]);
    return of.of(pinned, read, signal);
  }

  async #allocationsOf(pinned: PinnedBlock, signal: AbortSignal): Promise<AuctionAllocations> {
    const { terms } = await this.#known(pinned, signal);
    this.#allocations ??= new AuctionAllocations(terms, this.#entityOf);
    return this.#allocations;
  }

  /** Reads bids, which rows and what is accepted of them share where the one is asked for right after the other. */
  #bids(pinned: PinnedBlock, range: IndexRange, signal: AbortSignal): Promise<readonly AuctionBid[]> {
    const { number, hash } = pinned.block;
    const key = `${hash}/${range.from}/${range.to}`;
    const last = this.#lastBids;
    this.#lastBids = undefined;
    if (last?.key === key) return last.read;
    const calls = parts(range).map((part) => pinned.call(bidsCall(pinned.contract, part, number), signal));
    const read = Promise.all(calls).then((bids) => bids.flat());
    this.#lastBids = { key, read };
    return read;
  }

  /** The terms, asked for at most once. Errors are those of `readTermsAt`. */
  #known(pinned: PinnedBlock, signal: AbortSignal): Promise<AuctionTermsAt> {
    return this.#terms?.read ?? this.#termsAt(pinned, signal);
  }

  /** The terms with what holds at the block, asked for once at each. Errors are those of `readTermsAt`. */
  #termsAt(pinned: PinnedBlock, signal: AbortSignal): Promise<AuctionTermsAt> {
    const { hash } = pinned.block;
    if (this.#terms?.hash === hash) return this.#terms.read;
    const read = readTermsAt(pinned, signal);
    const terms = { hash, read };
    this.#terms = terms;
    read.catch(() => {
      if (this.#terms === terms) this.#terms = undefined;
    });
    return read;
  }
}

/** Parts of a range that a call can answer with; one for an empty range. */
function parts({ from, to }: IndexRange): readonly IndexRange[] {
  const all: IndexRange[] = [];
  for (let next = from; next < to || all.length === 0; next += MAX_BIDS) {
    all.push({ from: next, to: next + MAX_BIDS < to ? next + MAX_BIDS : to });
  }
  return all;
}
