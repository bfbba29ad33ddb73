import type { SourcePosition } from "../../../chains/base/source-position.ts";
import type { RpcUrl } from "../../../chains/evm/rpc-url.ts";
import type { ContractLogs, LoggedBlock, NoAnswer } from "./logged-changes.ts";

/** Fewest blocks up to the last read whose logs are read once more with the next one. */
const BLOCKS = 3n;

/** Reads the logs from one height to another, both included, if a URL answers. */
export type ReadLogs = (
  range: readonly [bigint, bigint],
  avoided: ReadonlySet<RpcUrl>,
) => Promise<ContractLogs | NoAnswer>;

/**
 * Reads the logs of the last blocks once more, and all those of the last read, as the node that answered about them may not have had them
 * yet, or has left some out. What was missed is read with the next block, which a sweep may be minutes away from. It is one request,
 * however many blocks the last read has: a node that answered about them once takes as long a range.
 */
export class LogOverlap {
  /** The logged blocks that were read, by hash. */
  readonly #known = new Map<string, LoggedBlock>();
  /** URLs that answered about them. */
  #urls: ReadonlySet<RpcUrl> = new Set();
  /** The first height whose logs are remembered. Those up to a sweep don't matter. */
  #from = 0n;
  /** Height up to which logs were read. */
  #readUpTo = 0n;

  /** Handles that a sweep at a height was applied. */
  restart(height: bigint): void {
    this.#known.clear();
    this.#from = height + 1n;
    this.#readUpTo = height;
  }

  /** Handles that the logs of a read up to a position were applied. */
  applied({ blocks, urls }: Pick<ContractLogs, "blocks" | "urls">, { height }: SourcePosition): void {
    for (const block of blocks) this.#learn(block);
    const before = height - BLOCKS < this.#readUpTo ? height - BLOCKS : this.#readUpTo;
    if (before >= this.#from) this.#from = before + 1n;
    this.#readUpTo = height;
    for (const [hash, block] of this.#known) if (block.height < this.#from) this.#known.delete(hash);
    this.#urls = urls;
  }

  /** Handles that the chain was re-organised after a position. */
  forked({ height }: SourcePosition): void {
    if (height < this.#from) this.#from = height + 1n;
    this.#readUpTo = height;
  }

  /** The logs up to a position of the chain that weren't known, by block. Errors are those of `read`. */
  async missed({ height }: SourcePosition, read: ReadLogs): Promise<readonly LoggedBlock[]> {
    if (this.#from > height) return [];
    const isLong = height - this.#from >= BLOCKS;
    const all = await read([this.#from, height], this.#urls);
    // Another URL may refuse a range that the first one takes.
    const logs = all === "refused" && isLong ? await read([height - BLOCKS + 1n, height], this.#urls) : all;
    return typeof logs === "string" ? [] : logs.blocks.flatMap((block) => this.#unknownOf(block) ?? []);
  }

  #unknownOf(block: LoggedBlock): LoggedBlock | undefined {
    const known = this.#known.get(block.hash);
    if (known === undefined) return block;
    const commitments = new Set([...block.commitments].filter((id) => !known.commitments.has(id)));
    const isUnclear = block.isUnclear && !known.isUnclear;
    return commitments.size > 0 || isUnclear ? { ...block, commitments, isUnclear } : undefined;
  }

  #learn(block: LoggedBlock): void {
    const known = this.#known.get(block.hash);
    if (known === undefined) this.#known.set(block.hash, block);
    else {
      const commitments = new Set([...known.commitments, ...block.commitments]);
      this.#known.set(block.hash, { ...block, commitments, isUnclear: known.isUnclear || block.isUnclear });
    }
  }
}
