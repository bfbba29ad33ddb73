import type { SourcePosition } from "../../../chains/base/source-position.ts";
import type { LoggedBlock } from "./logged-changes.ts";

export interface RecentBlock extends SourcePosition {
  /** The contract's number of rows at the block, if it was read there. */
  readonly count?: bigint;
}

/** Blocks at which contracts can still be read on nodes that keep no archive. */
const MAX_BLOCKS = 128;

/**
 * The newest blocks up to the store's position, with the commitments that the contract's logs name in them. After a
 * re-organisation nodes no longer have the logs of the blocks that were abandoned.
 */
export class RecentBlocks {
  readonly #maxCommitments: number;
  /** Oldest first. Of the first one only the position counts; every logged block after it is here, and is clear. */
  #blocks: readonly (LoggedBlock & RecentBlock)[] = [];

  /** @param maxCommitments limit for the IDs that are kept, with repetitions. */
  constructor(maxCommitments: number) {
    this.#maxCommitments = maxCommitments;
  }

  /** The blocks, newest first. */
  newestFirst(): readonly RecentBlock[] {
    return this.#blocks.toReversed();
  }

  /** IDs of the commitments that changed after one of the blocks. */
  commitmentsAfter({ hash }: SourcePosition): ReadonlySet<string> {
    const at = this.#blocks.findIndex((block) => block.hash === hash);
    return new Set(this.#blocks.slice(at + 1).flatMap(({ commitments }) => [...commitments]));
  }

  /** Forgets all blocks, and begins at one. */
  restart(block: RecentBlock): void {
    this.#blocks = [unlogged(block)];
  }

  /** Adds the logged blocks after the newest one, up to the given one. */
  append(logged: readonly LoggedBlock[], block: RecentBlock): void {
    const before = logged.filter(({ hash }) => hash !== block.hash);
    const own = logged.find(({ hash }) => hash === block.hash) ?? unlogged(block);
    const isKnown = this.#blocks.at(-1)?.hash === block.hash;
    this.#blocks = this.#bounded([...this.#blocks, ...before, ...(isKnown ? [] : [{ ...block, ...own }])]);
  }

  /** Adds the logged blocks after an older position, up to `oldest`, if that is still the oldest block. */
  prepend(oldest: RecentBlock, position: SourcePosition, logged: readonly LoggedBlock[]): void {
    const [first, ...newer] = this.#blocks;
    if (first?.hash !== oldest.hash) return;
    const before = new RecentBlocks(this.#maxCommitments);
    before.restart(position);
    before.append(logged, oldest);
    this.#blocks = this.#bounded([...before.#blocks, ...newer]);
  }

  /** Forgets the blocks after one of them. */
  cutAfter({ hash }: SourcePosition): void {
    const at = this.#blocks.findIndex((block) => block.hash === hash);
    this.#blocks = this.#blocks.slice(0, at + 1);
  }

  #bounded(blocks: readonly (LoggedBlock & RecentBlock)[]): readonly (LoggedBlock & RecentBlock)[] {
    let total = 0;
    const first = blocks.findLastIndex(({ commitments, isUnclear }, index) => {
      total += commitments.size;
      return isUnclear || total > this.#maxCommitments || blocks.length - index >= MAX_BLOCKS;
    });
    return blocks.slice(Math.max(first, 0));
  }
}

function unlogged(block: RecentBlock): LoggedBlock & RecentBlock {
  return { ...block, commitments: new Set(), isUnclear: false };
}
