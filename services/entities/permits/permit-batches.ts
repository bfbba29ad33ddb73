import { LRUCache } from "lru-cache";
import { Batcher } from "../../../common/platform/concurrency/batcher.ts";
import { type BatchedResult, type IssuingDependencies, issueBatch, type WantedPermit } from "./issue-batch.ts";
import { SaleBatchers } from "./sale-batchers.ts";

/** The sales about which the database alone doesn't decide, and how long that is believed. */
const OTHERS = { max: 1_000, ttl: 1_000 };

/** Issues permits, those of one sale that arrive meanwhile together in the next transaction. */
export class PermitBatches {
  readonly #batchers: SaleBatchers<WantedPermit, BatchedResult>;
  readonly #others = new LRUCache<string, true>(OTHERS);

  constructor(dependencies: IssuingDependencies) {
    this.#batchers = new SaleBatchers(
      (saleUuid) =>
        new Batcher((wanted) => this.#issue(dependencies, saleUuid, wanted), { gathers: true, keepsTogether: true }),
    );
  }

  /** Issues a permit, unless it must be issued alone. @throws ServiceError `unavailable` */
  async issue(wanted: WantedPermit): Promise<BatchedResult> {
    const { saleUuid } = wanted.subject.sale;
    return this.#others.has(saleUuid) ? "alone" : this.#batchers.run(saleUuid, wanted);
  }

  async #issue(
    dependencies: IssuingDependencies,
    saleUuid: string,
    wanted: readonly WantedPermit[],
  ): Promise<readonly BatchedResult[]> {
    const { results, isDecidedHere } = await issueBatch(dependencies, saleUuid, wanted);
    if (!isDecidedHere) this.#others.set(saleUuid, true);
    return results;
  }
}
