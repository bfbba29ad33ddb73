import { SourceFault } from "../base/source-fault.ts";
import type { Block } from "./block.ts";
import type { EvmEndpoint } from "./evm-endpoint.ts";
import type { NodeTime } from "./node-time.ts";
import { readBlock } from "./read-block.ts";
import { MAX_RANGE, RecentHeaders } from "./recent-headers.ts";

/** Blocks whose times are kept: about 5 MB. An auction of more blocks with bids has the oldest ones asked for at each sweep. */
const MAX_KEPT = 100_000;
/** Headers that are asked for at once: a few batches. */
const MAX_AT_ONCE = 200;
/** Name under which failures are counted: a node without old headers has the newest ones all the same. */
const COUNTED_AS = "eth_getBlockByNumber of an old block";

/** Times by number, and the newest block of them. As long as the chain has that one, it has all of them. */
interface Kept {
  readonly times: Map<number, number>;
  newest: Pick<Block, "number" | "hash"> | undefined;
}

interface Asking {
  readonly signal: AbortSignal;
  readonly nodeTime: NodeTime | undefined;
}

/**
 * The times of a chain's blocks, by their numbers. The newest ones are shown by the hashes of their parents to be of the chain that a
 * block ends; older ones are read by number while the chain has that block, and kept until it no longer has the newest of them.
 */
export class BlockTimes {
  readonly #endpoint: EvmEndpoint;
  readonly #headers: RecentHeaders;
  readonly #maxKept: number;
  #kept: Kept = nothingKept();

  constructor(endpoint: EvmEndpoint, headers = new RecentHeaders(endpoint), maxKept = MAX_KEPT) {
    this.#endpoint = endpoint;
    this.#headers = headers;
    this.#maxKept = maxKept;
  }

  /**
   * Asks for the times of the blocks of some numbers.
   *
   * @returns a function that says the time of a number, in seconds since 1970, and throws a RangeError for any other one.
   * @param block the newest block of their chain; no number may be above its own.
   * @param nodeTime measures the time that nodes take.
   * @throws SourceFault if nodes don't have them, or have them on another chain; the signal's reason once that is aborted.
   */
  async of(
    numbers: ReadonlySet<bigint>,
    block: Pick<Block, "number" | "hash">,
    signal: AbortSignal,
    nodeTime?: NodeTime,
  ): Promise<(number: bigint) => bigint> {
    const firstRecent = block.number - MAX_RANGE + 1n;
    const recent = [...numbers].filter((number) => number >= firstRecent);
    const older = [...numbers].filter((number) => number < firstRecent);
    const asked = await Promise.all([
      this.#ofRecent(recent, block, signal),
      this.#ofOlder(older, block, { signal, nodeTime }),
    ]);
    const times = new Map(asked.flatMap((each) => [...each]));
    return (number) => {
      const seconds = times.get(number);
      if (seconds === undefined) throw new RangeError(`the time of block ${number} isn't known`);
      return seconds;
    };
  }

  async #ofRecent(
    numbers: readonly bigint[],
    { number, hash }: Pick<Block, "number" | "hash">,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<bigint, bigint>> {
    if (numbers.length === 0) return new Map();
    let first = number;
    for (const each of numbers) if (each < first) first = each;
    const next = { number: number + 1n, hash: "", parentHash: hash };
    const headers = await this.#headers.between(first - 1n, next, signal);
    if (headers === undefined) {
      const problem = `the nodes don't have the blocks from ${first} to ${number}, or not of one chain`;
      throw new SourceFault(problem, { remedy: "wait", isOfNodes: true });
    }
    const wanted = new Set(numbers);
    return new Map(headers.filter((header) => wanted.has(header.number)).map(timed));
  }

  async #ofOlder(
    numbers: readonly bigint[],
    block: Pick<Block, "number" | "hash">,
    asking: Asking,
  ): Promise<ReadonlyMap<bigint, bigint>> {
    if (numbers.length === 0) return new Map();
    const kept = this.#kept;
    const { newest } = kept;
    const times = new Map<bigint, bigint>();
    for (const number of numbers) {
      const seconds = kept.times.get(Number(number));
      if (seconds !== undefined) times.set(number, BigInt(seconds));
    }
    const missing = numbers.filter((number) => !times.has(number));
    const blocks: Block[] = [];
    for (let from = 0; from < missing.length; from += MAX_AT_ONCE) {
      const asked = missing.slice(from, from + MAX_AT_ONCE).map((number) => this.#block(number, asking));
      blocks.push(...(await Promise.all(asked)));
    }
    // Last, so that whatever was read before is of the chain that has both.
    const [present, end] = await Promise.all([
      newest && this.#block(newest.number, asking),
      blocks.length === 0 ? block : this.#block(block.number, asking),
    ]);
    if (end.hash !== block.hash) {
      const problem = `the nodes have another block ${block.number} by now than the one that is read`;
      throw new SourceFault(problem, { remedy: "wait", isOfNodes: true });
    }
    if (present?.hash !== newest?.hash) {
      if (this.#kept === kept) this.#kept = nothingKept();
      return this.#ofOlder(numbers, block, asking);
    }
    for (const block of blocks) times.set(...timed(block));
    this.#keep(kept, blocks);
    return times;
  }

  #keep(kept: Kept, blocks: readonly Block[]): void {
    for (const block of blocks) {
      const [number, seconds] = timed(block);
      kept.times.set(Number(number), Number(seconds));
      if (kept.newest === undefined || block.number > kept.newest.number) kept.newest = block;
    }
    for (const number of kept.times.keys()) {
      if (kept.times.size <= this.#maxKept) break;
      kept.times.delete(number);
    }
  }

  async #block(number: bigint, { signal, nodeTime }: Asking): Promise<Block> {
    const options = { small: true, countedAs: COUNTED_AS, ...(nodeTime === undefined ? {} : { nodeTime }) };
    const block = await readBlock(this.#endpoint, number, signal, options);
    if (block === undefined)
      throw new SourceFault(`the nodes don't have block ${number}`, { remedy: "wait", isOfNodes: true });
    return block;
  }
}

function nothingKept(): Kept {
  return { times: new Map(), newest: undefined };
}

/** @throws SourceFault for a block without a time */
function timed({ number, timeSeconds }: Block): [number: bigint, seconds: bigint] {
  if (timeSeconds !== undefined) return [number, timeSeconds];
  throw new SourceFault(`the node doesn't say the time of block ${number}`, { remedy: "wait", isOfNodes: true });
}
