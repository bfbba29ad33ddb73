import { InterruptibleWait } from "../../../shared/concurrency/interruptible-wait.ts";
import { untilAborted } from "../../../shared/concurrency/until-aborted.ts";
import type { EvmChain } from "../../chains/chain.ts";
import { SourceFault } from "../../source/source-reader.ts";
import { type Block, readBlock } from "./block.ts";
import type { EvmEndpoint } from "./evm-endpoint.ts";
import { watchHeads } from "./watch-heads.ts";

export interface Heads {
  /** The newest block that the chain is known to have. */
  readonly newest: Block;
  /** The one to read: enough blocks on top, or final. */
  readonly readable: Block;
}

/**
 * Behind a balancer some nodes lag: an older height is ignored, until this many looks in succession have found nothing
 * newer. Then the chain has really become shorter.
 */
const LOOKS_AT_OLDER_HEIGHT = 5;

/** Follows the head of a chain, for all sales on it. */
export class HeadTracker {
  readonly #chain: EvmChain;
  readonly #endpoint: EvmEndpoint;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  readonly #stopping = new AbortController();
  readonly #pause = new InterruptibleWait();
  #heads: Heads | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looksAtOlder = 0;
  #look: Promise<Heads> | undefined;
  #following: Promise<void> | undefined;

  /** @param now milliseconds of a monotonic clock. */
  constructor(chain: EvmChain, endpoint: EvmEndpoint, now: () => number = () => performance.now()) {
    this.#chain = chain;
    this.#endpoint = endpoint;
    this.#now = now;
  }

  /**
   * The heads, not older than the polling interval.
   *
   * @throws SourceFault where the nodes don't tell; the signal's reason once that is aborted.
   */
  async current(signal: AbortSignal): Promise<Heads> {
    signal.throwIfAborted();
    const isFresh = this.#now() - this.#lookedAt < this.#chain.pollIntervalMs;
    return this.#heads !== undefined && isFresh ? this.#heads : untilAborted(this.refresh(), signal);
  }

  /** Looks at the chain now; callers at the same time share a look. Errors as `current`. */
  refresh(): Promise<Heads> {
    this.#look ??= this.#lookAtChain().finally(() => {
      this.#look = undefined;
    });
    return this.#look;
  }

  /** Calls back whenever there is another block to read; follows the chain from the first listener on. */
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
    // An announcement is only a reason to look at once: polling goes on, and needs no notice when the socket is down.
    const watching = webSocketUrl === undefined ? undefined : watchHeads(webSocketUrl, () => this.#pause.end(), signal);
    while (!signal.aborted) {
      // Whoever reads a sale gets the same error and reports it there.
      await this.refresh().catch(() => undefined);
      await this.#pause.wait(pollIntervalMs, signal);
    }
    await watching;
  }

  async #lookAtChain(): Promise<Heads> {
    const { signal } = this.#stopping;
    const before = this.#heads;
    const newest = await this.#block("latest", signal);
    const looked = { newest, readable: await this.#readable(newest, signal) };
    const heads = before !== undefined && this.#isOlder(looked, before) ? before : looked;
    this.#heads = heads;
    this.#lookedAt = this.#now();
    if (heads.readable.hash !== before?.readable.hash) for (const listener of this.#listeners) listener();
    return heads;
  }

  #isOlder({ newest, readable }: Heads, before: Heads): boolean {
    const isOlder = newest.number < before.newest.number || readable.number < before.readable.number;
    this.#looksAtOlder = isOlder ? this.#looksAtOlder + 1 : 0;
    if (this.#looksAtOlder < LOOKS_AT_OLDER_HEIGHT) return isOlder;
    this.#looksAtOlder = 0;
    return false;
  }

  async #readable(newest: Block, signal: AbortSignal): Promise<Block> {
    const { confirmations } = this.#chain;
    if (confirmations === 0) return newest;
    if (confirmations !== "finalized") {
      const depth = BigInt(confirmations);
      return this.#block(newest.number > depth ? newest.number - depth : 0n, signal);
    }
    return this.#block("finalized", signal);
  }

  async #block(which: bigint | "latest" | "finalized", signal: AbortSignal): Promise<Block> {
    const block = await readBlock(this.#endpoint, which, signal);
    if (block !== undefined) return block;
    throw new SourceFault(`the nodes of chain ${this.#chain.name} don't have block ${which} yet`, { remedy: "wait" });
  }
}
