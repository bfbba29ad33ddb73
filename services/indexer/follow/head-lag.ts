import { Gauge, type Registry } from "prom-client";

interface Followed {
  readonly chain: string;
  /** By the clock that was given, in milliseconds. */
  readonly inStepAt: number;
}

/** How long ago the sales that this process reads were last found to be in step with the head of their chain. */
export class HeadLag {
  readonly #now: () => number;
  readonly #sales = new Map<string, Followed>();

  constructor(registry: Registry, now: () => number = () => performance.now()) {
    this.#now = now;
    const seconds = () => this.seconds();
    new Gauge({
      name: "tidemark_indexer_head_lag_seconds",
      help: "Time since the sale that is farthest behind was last in step with the head of its chain.",
      labelNames: ["chain"],
      registers: [registry],
      collect() {
        this.reset();
        for (const [chain, lag] of seconds()) this.set({ chain }, lag);
      },
    });
  }

  /** The sale is in step now, or this process begins to read it. */
  inStep(saleUuid: string, chain: string): void {
    this.#sales.set(saleUuid, { chain, inStepAt: this.#now() });
  }

  /** This process doesn't read the sale any more. */
  forget(saleUuid: string): void {
    this.#sales.delete(saleUuid);
  }

  /** By chain, of the sale that is farthest behind. */
  seconds(): ReadonlyMap<string, number> {
    const lags = new Map<string, number>();
    for (const { chain, inStepAt } of this.#sales.values()) {
      lags.set(chain, Math.max(lags.get(chain) ?? 0, (this.#now() - inStepAt) / 1_000));
    }
    return lags;
  }
}
