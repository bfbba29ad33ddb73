import type { SourcePosition } from "../../../chains/base/source-position.ts";
import type { RpcUrl } from "../../../chains/evm/rpc-url.ts";
import type { ContractLogs, LoggedBlock } from "../../logged-changes.ts";

/** Blocks up to the last read whose logs are read once more with the next one. */
const BLOCKS = 3n;

/** Reads the logs from one height to another, both included, if a URL answers. */
export type ReadLogs = (
  range: readonly [bigint, bigint],
  avoided: ReadonlySet<RpcUrl>,
) => Promise<ContractLogs | undefined>;

/**
 * Reads the logs of the last blocks once more, as the node that answered about them may not have had them yet. What was missed is read
 * with the next block, which a sweep may be minutes away from.
 */
export class LogOverlap {
  /** The logged blocks that were read, by hash. */
  readonly #known = new Map<string, LoggedBlock>();
  /** URLs that answered about them. */
  #urls: ReadonlySet<RpcUrl> = new Set();
  /** The first height whose logs are remembered. Those up to a sweep don't matter. */
  #from = 0n;

  /** Handles that a sweep at a height was applied. */
  restart(height: bigint): void {
    this.#known.clear();
    this.#from = height + 1n;
  }

  /** Handles that the logs of a read up to a position were applied. */
  applied({ blocks, urls }: Pick<ContractLogs, "blocks" | "urls">, { height }: SourcePosition): void {
    for (const block of blocks) this.#learn(block);
    if (height - BLOCKS >= this.#from) this.#from = height - BLOCKS + 1n;
    for (const [hash, block] of this.#known) if (block.height < this.#from) this.#known.delete(hash);
    this.#urls = urls;
  }

  /** Handles that the chain was re-organised after a position. */
  forked({ height }: SourcePosition): void {
    if (height < this.#from) this.#from = height + 1n;
  }

  /** The logs up to a position of the chain that weren't known, by block. Errors are those of `read`. */
  async missed({ height }: SourcePosition, read: ReadLogs): Promise<readonly LoggedBlock[]> {
    if (this.#from > height) return [];
    const logs = await read([this.#from, height], this.#urls);
    return (logs?.blocks ?? []).flatMap((block) => this.#unknownOf(block) ?? []);
  }

  #unknownOf(block: LoggedBlock): LoggedBlock | undefined {
    const known = this.#known.get(block.hash);
    if (known === undefined) return block;
    const entities = new Set([...block.entities].filter((entity) => !known.entities.has(entity)));
    const isUnclear = block.isUnclear && !known.isUnclear;
    return entities.size > 0 || isUnclear ? { ...block, entities, isUnclear } : undefined;
  }

  #learn(block: LoggedBlock): void {
    const known = this.#known.get(block.hash);
    if (known === undefined) this.#known.set(block.hash, block);
    else {
      const entities = new Set([...known.entities, ...block.entities]);
      this.#known.set(block.hash, { ...block, entities, isUnclear: known.isUnclear || block.isUnclear });
    }
  }
}
