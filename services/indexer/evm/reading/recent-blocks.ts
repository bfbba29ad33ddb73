import type { SourcePosition } from "../../source/source-commitment.ts";
import type { LoggedBlock } from "../contract/contract-logs.ts";

/** Blocks at which contracts can still be read on nodes that keep no archive. */
const MAX_BLOCKS = 128;

/**
 * The newest blocks up to the store's position, with the entities that the contract's logs name in them. After a
 * re-organisation nodes no longer have the logs of the blocks that were abandoned.
 */
export class RecentBlocks {
  readonly #maxEntities: number;
  /** Oldest first. Of the first one only the position counts; every logged block after it is here, and is clear. */
  #blocks: readonly LoggedBlock[] = [];

  /** @param maxEntities limit for the entities that are kept, with repetitions. */
  constructor(maxEntities: number) {
    this.#maxEntities = maxEntities;
  }

  /** The positions of the blocks, newest first. */
  positions(): readonly SourcePosition[] {
    return this.#blocks.toReversed().map(({ height, hash }) => ({ height, hash }));
  }

  /** The entities that changed after one of the blocks. */
  entitiesAfter({ hash }: SourcePosition): ReadonlySet<string> {
    const at = this.#blocks.findIndex((block) => block.hash === hash);
    return new Set(this.#blocks.slice(at + 1).flatMap(({ entities }) => [...entities]));
  }

  /** Forgets all blocks, and begins at a position. */
  restart(position: SourcePosition): void {
    this.#blocks = [unlogged(position)];
  }

  /** Adds the logged blocks between the newest position and the given one. */
  append(logged: readonly LoggedBlock[], position: SourcePosition): void {
    const isLogged = [this.#blocks.at(-1), logged.at(-1)].some((block) => block?.hash === position.hash);
    this.#blocks = this.#bounded([...this.#blocks, ...logged, ...(isLogged ? [] : [unlogged(position)])]);
  }

  /** Adds the logged blocks after an older position, up to `oldest`, if that is still the oldest one. */
  prepend(oldest: SourcePosition, position: SourcePosition, logged: readonly LoggedBlock[]): void {
    const [first, ...newer] = this.#blocks;
    if (first?.hash !== oldest.hash) return;
    const before = new RecentBlocks(this.#maxEntities);
    before.restart(position);
    before.append(logged, oldest);
    this.#blocks = this.#bounded([...before.#blocks, ...newer]);
  }

  /** Forgets the blocks after one of them. */
  cutAfter({ hash }: SourcePosition): void {
    const at = this.#blocks.findIndex((block) => block.hash === hash);
    this.#blocks = this.#blocks.slice(0, at + 1);
  }

  #bounded(blocks: readonly LoggedBlock[]): readonly LoggedBlock[] {
    let total = 0;
    const first = blocks.findLastIndex(({ entities, isUnclear }, index) => {
      total += entities.size;
      return isUnclear || total > this.#maxEntities || blocks.length - index >= MAX_BLOCKS;
    });
    return blocks.slice(Math.max(first, 0));
  }
}

function unlogged({ height, hash }: SourcePosition): LoggedBlock {
  return { height, hash, entities: new Set(), isUnclear: false };
}
