import { Batcher } from "../../../common/platform/concurrency/batcher.ts";
import type { EntitiesContext } from "../base/context.ts";
import { addToDays, dayOf } from "./sale-days-store.ts";

interface Refusal {
  readonly saleUuid: string;
  /** A name of `FAILURE_REASONS`. */
  readonly reason: string;
}

/** Counts refused permits by sale, day and reason. Refusals of the same moment are counted in one transaction. */
export class RefusalCounts {
  readonly #context: Pick<EntitiesContext, "database" | "clock" | "logger">;
  readonly #batcher = new Batcher((refusals: readonly Refusal[]) => this.#add(refusals));

  constructor(context: Pick<EntitiesContext, "database" | "clock" | "logger">) {
    this.#context = context;
  }

  /** Counts a refusal. Never fails: the answer to the application doesn't depend on it. */
  async count(saleUuid: string, reason: string): Promise<void> {
    try {
      await this.#batcher.run({ saleUuid, reason });
    } catch (error) {
      this.#context.logger.warn({ err: error, saleUuid }, "refused permit not counted");
    }
  }

  async #add(refusals: readonly Refusal[]): Promise<readonly undefined[]> {
    const { database, clock } = this.#context;
    const dayMs = dayOf(clock());
    const counts = [...Map.groupBy(refusals, ({ saleUuid, reason }) => `${saleUuid} ${reason}`).values()].flatMap(
      (same) =>
        same.slice(0, 1).map(({ saleUuid, reason }) => ({
          ...{ saleUuid, dayMs, name: `refused:${reason}` as const, count: BigInt(same.length) },
        })),
    );
    await database.write((transaction) => addToDays(transaction, database.dialect, counts));
    return refusals.map(() => undefined);
  }
}
