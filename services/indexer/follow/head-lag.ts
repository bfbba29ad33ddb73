import { Gauge, type Registry } from "prom-client";

interface Followed {
  readonly chain: string;
  /** Time of the last read up to the head, in milliseconds of the given clock. */
  readonly upToDateAt: number;
}

/** Time since the sales that this process reads were last up to date with the head of their chain. */
export class HeadLag {
  readonly #now: () => number;
  readonly #sales = new Map<string, Followed>();
  /** Sales in which nothing can change any more. */
  readonly #final = new Set<string>();

  constructor(registry: Registry, now: () => number = () => performance.now()) {
    this.#now = now;
    const seconds = () => this.seconds();
    new Gauge({
      name: "tidemark_indexer_head_lag_seconds",
      help: "Time since the process last read the sale that is farthest behind up to the head of its chain.",
      labelNames: ["chain"],
      registers: [registry],
      collect() {
        this.reset();
        for (const [chain, lag] of seconds()) this.set({ chain }, lag);
      },
    });
  }

  /** The sale is up to date now, or this process starts to read it. */
  upToDate(saleUuid: string, chain: string): void {
    if (!this.#final.has(saleUuid)) this.#sales.set(saleUuid, { chain, upToDateAt: this.#now() });
  }

  /** Says whether nothing can change in the sale any more: then it can't be behind. */
  setFinal(saleUuid: string, isFinal: boolean): void {
    if (!isFinal) this.#final.delete(saleUuid);
    else {
      this.#final.add(saleUuid);
      this.forget(saleUuid);
    }
  }

  /** This process no longer reads the sale, or its source can't be read until somebody mends it. */
  forget(saleUuid: string): void {
    this.#sales.delete(saleUuid);
  }

  /** The lag of the sale that is farthest behind, by chain. */
  seconds(): ReadonlyMap<string, number> {
    const lags = new Map<string, number>();
    for (const { chain, upToDateAt } of this.#sales.values()) {
      lags.set(chain, Math.max(lags.get(chain) ?? 0, (this.#now() - upToDateAt) / 1_000));
    }
    return lags;
  }
}
