import type { Block } from "./block.ts";
import type { EvmEndpoint } from "./evm-endpoint.ts";
import { readBlock } from "./read-block.ts";

/** Longest range that is read. */
export const MAX_RANGE = 32n;
/** Headers that are kept, below the newest one that was asked for. */
const KEPT = 128n;

/** The headers of a chain's newest blocks. All readers share them, as each asks about the same ones. */
export class RecentHeaders {
  readonly #endpoint: EvmEndpoint;
  /** By height. One that can't be had is undefined, and is asked for anew. */
  readonly #headers = new Map<bigint, Promise<Block | undefined>>();

  constructor(endpoint: EvmEndpoint) {
    this.#endpoint = endpoint;
  }

  /**
   * The headers above a height and below a block, newest first: each is the parent of the one before.
   *
   * @returns undefined if there are more than 32, or if one can't be had.
   * @throws the signal's reason once that is aborted.
   */
  async between(height: bigint, block: Block, signal: AbortSignal): Promise<readonly Block[] | undefined> {
    const count = block.number - height - 1n;
    if (count > MAX_RANGE) return undefined;
    const heights = Array.from({ length: Number(count) }, (_, index) => block.number - 1n - BigInt(index));
    // After a re-organisation some that are kept are of blocks that were abandoned.
    const headers = (await this.#chain(heights, block, signal)) ?? (await this.#chain(heights, block, signal));
    this.#forget(block.number - KEPT);
    return headers;
  }

  /**
   * Reads headers; undefined if one is missing or isn't the parent of the one before. That one and those below, which may be of the
   * same fork, are forgotten; those above lead to the block.
   */
  async #chain(heights: readonly bigint[], block: Block, signal: AbortSignal): Promise<readonly Block[] | undefined> {
    const headers = await Promise.all(heights.map((height) => this.#header(height, signal)));
    signal.throwIfAborted();
    const present: Block[] = [];
    for (const header of headers) {
      const { parentHash } = present.at(-1) ?? block;
      if (header === undefined || header.hash !== parentHash) {
        for (const height of heights.slice(present.length)) this.#headers.delete(height);
        return undefined;
      }
      present.push(header);
    }
    return present;
  }

  #header(height: bigint, signal: AbortSignal): Promise<Block | undefined> {
    const known = this.#headers.get(height);
    if (known !== undefined) return known;
    // Whoever shares the request of a reader that ends asks for the logs twice instead.
    const header = readBlock(this.#endpoint, height, signal, { rounds: 1, small: true }).catch(() => undefined);
    this.#headers.set(height, header);
    return header;
  }

  #forget(below: bigint): void {
    for (const height of this.#headers.keys()) if (height < below) this.#headers.delete(height);
  }
}
