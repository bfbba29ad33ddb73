import { InterruptibleWait } from "../../platform/concurrency/interruptible-wait.ts";
import { untilAborted } from "../../platform/concurrency/until-aborted.ts";
import type { EvmChain } from "../base/chain.ts";
import { SourceFault } from "../base/source-fault.ts";
import type { SourcePosition } from "../base/source-position.ts";
import type { Block } from "./block.ts";
import type { EvmEndpoint } from "./evm-endpoint.ts";
import { FinalBlocks } from "./final-blocks.ts";
import { readBlock } from "./read-block.ts";
import { watchHeads } from "./watch-heads.ts";

export interface Heads {
  /** The newest known block of the chain. */
  readonly newest: Block;
  /** The block to read: the newest one with enough confirmations, or the final one. */
  readonly readable: Block;
}

/**
 * Consecutive polls with an older height, an interval apart, after which the chain is believed to have become shorter. Before that it may be a
 * node behind a load balancer that lags.
 */
const POLLS_OF_OLDER_HEIGHT = 5;

/** Follows the head of a chain, for all sales on it. */
export class HeadTracker {
  readonly #chain: EvmChain;
  readonly #endpoint: EvmEndpoint;
  readonly #now: () => number;
  /** Absent on chains that are read before blocks are final. */
  readonly #final: FinalBlocks | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #stopping = new AbortController();
  readonly #pollWait = new InterruptibleWait();
  #heads: Heads | undefined;
  #polledAt = Number.NEGATIVE_INFINITY;
  #pollsOfOlder = 0;
  /** Time at which the last of them was counted. */
  #olderAt = Number.NEGATIVE_INFINITY;
  #polling: Promise<Heads> | undefined;
  #following: Promise<void> | undefined;

  /** @param now milliseconds of a monotonic clock. */
  constructor(chain: EvmChain, endpoint: EvmEndpoint, now: () => number = () => performance.now()) {
    this.#chain = chain;
    this.#endpoint = endpoint;
    this.#now = now;
    this.#final = chain.confirmations === "finalized" ? new FinalBlocks(endpoint, chain.name, now) : undefined;
  }

  /**
   * The heads, not older than the poll interval.
   *
   * @throws SourceFault if the nodes don't answer; the signal's reason once that is aborted.
   */
  async current(signal: AbortSignal): Promise<Heads> {
    signal.throwIfAborted();
    const isFresh = this.#now() - this.#polledAt < this.#chain.pollIntervalMs;
    return this.#heads !== undefined && isFresh ? this.#heads : untilAborted(this.refresh(), signal);
  }

  /** Whether only final blocks are read: then a sale's position never goes back. */
  get readsFinal(): boolean {
    return this.#final !== undefined;
  }

  /** Whether URLs contradict what was read as final (see `FinalBlocks.isContradicted`). */
  get isFinalContradicted(): boolean {
    return this.#final?.isContradicted ?? false;
  }

  /** The problem of each URL with what is final, in the operator's order; undefined for a URL without one. */
  finalityProblems(): readonly (string | undefined)[] {
    return this.#final?.problems() ?? [];
  }

  /** Checks that a position that was read as final still is; does nothing on other chains. Errors are those of `FinalBlocks.check`. */
  async checkFinal(position: SourcePosition, signal: AbortSignal): Promise<void> {
    await this.#final?.check(position, signal);
  }

  /** The heads as of the last poll. */
  get latest(): Heads | undefined {
    return this.#heads;
  }

  /** Polls the chain now. Simultaneous callers share a poll. Errors are those of `current`. */
  refresh(): Promise<Heads> {
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = undefined;
    });
    return this.#polling;
  }

  /** Calls back whenever there is another block to read. The first listener starts the polling. */
  onHead(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#following ??= this.#follow();
    return () => void this.#listeners.delete(listener);
  }

  async stop(): Promise<void> {
    this.#listeners.clear();
    this.#stopping.abort();
    await this.#following;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    const { webSocketUrl, pollIntervalMs } = this.#chain;
    // Polling doesn't depend on the socket: an announcement only ends the wait for the next poll.
    const watching =
      webSocketUrl === undefined ? undefined : watchHeads(webSocketUrl, () => this.#pollWait.end(), signal);
    while (!signal.aborted) {
      // Readers of sales get the same error, and report it.
      await this.refresh().catch(() => undefined);
      await this.#pollWait.wait(pollIntervalMs, signal);
    }
    await watching;
  }

  async #poll(): Promise<Heads> {
    const { signal } = this.#stopping;
    const before = this.#heads;
    let polled = await this.#read(signal);
    const isKnown = this.#final !== undefined || before === undefined;
    if (!isKnown && !(await this.#descends(polled.readable, before.readable, signal))) {
      // A re-organisation, a node that lags, or another chain behind a URL. Only answers after a new check tell the last one.
      this.#endpoint.recheck();
      polled = await this.#read(signal);
    }
    const heads = before !== undefined && this.#isOlder(polled, before) ? before : polled;
    this.#heads = heads;
    this.#polledAt = this.#now();
    if (heads.readable.hash !== before?.readable.hash) for (const listener of this.#listeners) listener();
    return heads;
  }

  async #read(signal: AbortSignal): Promise<Heads> {
    const newest = await this.#block("latest", signal);
    return { newest, readable: await this.#readable(newest, signal) };
  }

  /** Whether a block is known to have the other one among its ancestors. */
  async #descends({ number, hash, parentHash }: Block, ancestor: Block, signal: AbortSignal): Promise<boolean> {
    if (hash === ancestor.hash || parentHash === ancestor.hash) return true;
    if (number <= ancestor.number + 1n) return false;
    const present = await readBlock(this.#endpoint, ancestor.number, signal).catch(() => undefined);
    return present?.hash === ancestor.hash;
  }

  #isOlder({ newest, readable }: Heads, before: Heads): boolean {
    const isOlder = newest.number < before.newest.number || readable.number < before.readable.number;
    if (!isOlder) this.#pollsOfOlder = 0;
    // Announcements cause many polls while a node replaces its blocks one by one.
    else if (this.#now() - this.#olderAt >= this.#chain.pollIntervalMs) {
      this.#pollsOfOlder += 1;
      this.#olderAt = this.#now();
    }
    if (this.#pollsOfOlder < POLLS_OF_OLDER_HEIGHT) return isOlder;
    this.#pollsOfOlder = 0;
    return false;
  }

  async #readable(newest: Block, signal: AbortSignal): Promise<Block> {
    const { confirmations } = this.#chain;
    if (this.#final !== undefined) return this.#final.read(signal);
    const depth = BigInt(confirmations);
    if (depth === 0n) return newest;
    return this.#block(newest.number > depth ? newest.number - depth : 0n, signal);
  }

  async #block(which: bigint | "latest", signal: AbortSignal): Promise<Block> {
    const block = await readBlock(this.#endpoint, which, signal);
    if (block !== undefined) return block;
    throw new SourceFault(`the nodes of chain ${this.#chain.name} don't have block ${which} yet`, { remedy: "wait" });
  }
}
