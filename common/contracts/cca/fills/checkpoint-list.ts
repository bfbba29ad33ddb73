import type { Checkpoint } from "./checkpoint.ts";

/** All checkpoints of an auction up to a block. The price never falls, so each question is a binary search. */
export class CheckpointList {
  readonly #ascending: readonly Checkpoint[];

  /** @throws RangeError if the blocks don't ascend, or if a price or sum falls */
  constructor(ascending: readonly Checkpoint[]) {
    for (const [index, next] of ascending.entries()) {
      const last = ascending[index - 1];
      if (last !== undefined && !mayFollow(last, next)) {
        throw new RangeError(`the checkpoint of block ${next.block} contradicts that of block ${last.block}`);
      }
    }
    this.#ascending = ascending;
  }

  get newest(): Checkpoint | undefined {
    return this.#ascending.at(-1);
  }

  /** Returns this list with one more checkpoint. @throws RangeError if that contradicts the newest one */
  with(next: Checkpoint): CheckpointList {
    return new CheckpointList([...this.#ascending, next]);
  }

  at(block: bigint): Checkpoint | undefined {
    const found = this.#ascending[this.#count((checkpoint) => checkpoint.block < block)];
    return found?.block === block ? found : undefined;
  }

  /** Returns the first checkpoint before which a part of the supply was issued. @param mps exactly that part */
  firstOf(mps: bigint): Checkpoint | undefined {
    const found = this.#ascending[this.#count((checkpoint) => checkpoint.mps < mps)];
    return found?.mps === mps ? found : undefined;
  }

  lastBelow(price: bigint): Checkpoint | undefined {
    return this.#ascending[this.#count((checkpoint) => checkpoint.price < price) - 1];
  }

  lastAt(price: bigint): Checkpoint | undefined {
    const found = this.#ascending[this.#count((checkpoint) => checkpoint.price <= price) - 1];
    return found?.price === price ? found : undefined;
  }

  firstAbove(price: bigint): Checkpoint | undefined {
    return this.#ascending[this.#count((checkpoint) => checkpoint.price <= price)];
  }

  /** Counts the checkpoints that come first. @param comesFirst true for the first ones, and false for all after them */
  #count(comesFirst: (checkpoint: Checkpoint) => boolean): number {
    let [low, high] = [0, this.#ascending.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const checkpoint = this.#ascending[middle];
      if (checkpoint !== undefined && comesFirst(checkpoint)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function mayFollow(last: Checkpoint, next: Checkpoint): boolean {
  return (
    last.block < next.block &&
    last.price <= next.price &&
    last.mps <= next.mps &&
    last.mpsPerPrice <= next.mpsPerPrice &&
    (last.price < next.price || last.raisedAtPrice <= next.raisedAtPrice)
  );
}
