import { LRUCache } from "lru-cache";
import type { Batcher } from "../../../common/platform/concurrency/batcher.ts";

const MAX_SALES = 1_000;

/** Batchers by sale, each made when it is needed first. */
export class SaleBatchers<Item, Result> {
  readonly #make: (saleUuid: string) => Batcher<Item, Result>;
  readonly #batchers = new LRUCache<string, Batcher<Item, Result>>({ max: MAX_SALES });

  constructor(make: (saleUuid: string) => Batcher<Item, Result>) {
    this.#make = make;
  }

  /** Runs one item in a batch of its sale. @throws what the batch throws */
  run(saleUuid: string, item: Item): Promise<Result> {
    const batcher = this.#batchers.get(saleUuid) ?? this.#make(saleUuid);
    this.#batchers.set(saleUuid, batcher);
    return batcher.run(item);
  }
}
