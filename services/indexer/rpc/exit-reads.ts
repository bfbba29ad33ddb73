import { LRUCache } from "lru-cache";
import type { BidExits, ExitTarget } from "../../../common/contracts/bid-exits.ts";
import type { ChainConnection } from "../../../common/contracts/chain-connection.ts";
import { untilAborted } from "../../../common/platform/concurrency/until-aborted.ts";
import { EXIT_READ_INTERVAL_MS, LONGEST_EXIT_READ_MS } from "../base/lifetimes.ts";

/** Auctions that are kept. A long one may have 100 MB. */
const MAX_KEPT = 10;
/** The time that nodes rest from an auction after they were read, in times of what that took. */
const REST_FACTOR = 20;

interface ChainTarget extends ExitTarget {
  readonly chain: string;
}

/** The last read of an auction. */
interface LastRead {
  /** Undefined as long as none has succeeded. */
  readonly exits: BidExits | undefined;
  /** When the next read may begin. */
  readonly restsUntil: number;
}

export interface ExitReadsOptions {
  /** A monotonic clock in milliseconds. Default: `performance`. */
  readonly clock?: Pick<Performance, "now">;
}

/**
 * Reads how bids leave auctions, on behalf of anybody who looks a wallet up. However many ask, a chain has one read at a time, and nodes
 * rest from an auction for 20 times as long as its last read has taken: callers get what that has found.
 */
export class ExitReads {
  readonly #chains: { get(name: string): Pick<ChainConnection, "bidExits"> };
  readonly #clock: Pick<Performance, "now">;
  readonly #kept = new LRUCache<string, LastRead>({ max: MAX_KEPT });
  /** The read of each chain that is under way. */
  readonly #running = new Map<string, { readonly key: string; readonly done: Promise<void> }>();
  readonly #ending = new AbortController();

  constructor(
    chains: { get(name: string): Pick<ChainConnection, "bidExits"> },
    { clock = performance }: ExitReadsOptions = {},
  ) {
    this.#chains = chains;
    this.#clock = clock;
  }

  /**
   * Returns what is known of an auction, and begins to read it if it is time for that. Only the first read of an auction is waited for.
   *
   * @returns undefined if nothing is known
   * @throws the signal's reason once that is aborted
   */
  async get(target: ChainTarget, signal: AbortSignal): Promise<BidExits | undefined> {
    const { chain, address, contractFamily = "" } = target;
    const key = `${chain} ${address.toLowerCase()} ${contractFamily}`;
    const known = this.#kept.get(key);
    const isDue = known === undefined || this.#clock.now() >= known.restsUntil;
    if (isDue && !this.#running.has(chain)) this.#begin(key, target);
    const running = this.#running.get(chain);
    if (known?.exits === undefined && running?.key === key) await untilAborted(running.done, signal);
    return this.#kept.get(key)?.exits;
  }

  /** Ends all reads. */
  close(): void {
    this.#ending.abort(new Error("the indexer stops"));
  }

  #begin(key: string, target: ChainTarget): void {
    const done = this.#read(key, target).finally(() => this.#running.delete(target.chain));
    this.#running.set(target.chain, { key, done });
  }

  /** A read that fails leaves what was known, and rests as one that succeeds. */
  async #read(key: string, { chain, ...target }: ChainTarget): Promise<void> {
    const begun = this.#clock.now();
    const signal = AbortSignal.any([AbortSignal.timeout(LONGEST_EXIT_READ_MS), this.#ending.signal]);
    let exits = this.#kept.get(key)?.exits;
    try {
      const reading = this.#chains.get(chain).bidExits?.(target, signal);
      exits = reading && (await untilAborted(reading, signal));
    } catch {
      // The sale's own reader reports what is wrong with nodes and contract.
    }
    const now = this.#clock.now();
    const restMs = Math.max(EXIT_READ_INTERVAL_MS, REST_FACTOR * (now - begun));
    this.#kept.set(key, { exits, restsUntil: now + restMs });
  }
}
