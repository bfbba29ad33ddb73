import type { ScheduledBlock } from "../base/scheduled-block.ts";
import { blockTime } from "../base/source-position.ts";
import type { Block } from "./block.ts";
import type { EvmEndpoint } from "./evm-endpoint.ts";
import { readBlock } from "./read-block.ts";

/** Blocks over which the pace of a chain is measured: some minutes to hours. */
const PACE_BLOCKS = 1_000n;

/** The times of a chain's blocks as of one of them: own times of earlier blocks, and estimates for later ones. */
export class ScheduleTimes {
  readonly #endpoint: EvmEndpoint;
  readonly #head: Block;
  #first: Promise<{ readonly number: bigint; readonly timeSeconds: bigint | undefined }> | undefined;

  /** @param head the newest block that counts */
  constructor(endpoint: EvmEndpoint, head: Block) {
    this.#endpoint = endpoint;
    this.#head = head;
  }

  /**
   * Returns when a block is: a later one by the pace of the last 1,000 blocks.
   *
   * @throws SourceFault if the nodes don't answer
   */
  async at(number: bigint, signal: AbortSignal): Promise<ScheduledBlock> {
    const { number: height, timeSeconds: now } = this.#head;
    if (number === height) return { number, isEstimated: false, ...blockTime(now) };
    if (number < height) return { number, isEstimated: false, ...blockTime(await this.#timeOf(number, signal)) };
    this.#first ??= this.#firstOfPace(signal);
    const { number: since, timeSeconds: then } = await this.#first;
    const isKnown = now !== undefined && then !== undefined && since < height;
    const estimated = isKnown ? now + ((number - height) * (now - then)) / (height - since) : undefined;
    return { number, isEstimated: true, ...blockTime(estimated) };
  }

  async #firstOfPace(signal: AbortSignal) {
    const { number: height } = this.#head;
    const number = height > PACE_BLOCKS ? height - PACE_BLOCKS : 0n;
    return { number, timeSeconds: await this.#timeOf(number, signal) };
  }

  async #timeOf(number: bigint, signal: AbortSignal): Promise<bigint | undefined> {
    return (await readBlock(this.#endpoint, number, signal))?.timeSeconds;
  }
}
