import { setTimeout as delay } from "node:timers/promises";
import { ownText } from "../../web/http/own-text.ts";
import { unavailable } from "../../web/http/public-error.ts";
import type { NegativeCache } from "./negative-cache.ts";
import type { HeldSale } from "./representation-store.ts";

export interface SaleLoadsOptions {
  /** Loads a sale, and records success and failure. */
  readonly load: (saleUuid: string) => Promise<HeldSale>;
  /** Errors that readers get instead of a load. */
  readonly refusals: NegativeCache;
  /** Loads at once that readers may cause. */
  readonly maxLoads: number;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** The loads under way: at most one of each sale. */
export class SaleLoads {
  readonly #options: SaleLoadsOptions;
  readonly #running = new Map<string, Promise<HeldSale>>();
  /** Loads that haven't begun yet, each shared by all readers who wait for it. */
  readonly #next = new Map<string, Promise<HeldSale>>();

  constructor(options: SaleLoadsOptions) {
    this.#options = options;
  }

  /** Whether readers may cause no more loads at present. */
  get isFull(): boolean {
    return this.#running.size >= this.#options.maxLoads;
  }

  isRunning(saleUuid: string): boolean {
    return this.#running.has(saleUuid);
  }

  /**
   * Loads a sale, or joins its load under way. No bound applies.
   *
   * @throws PublicError
   */
  run(saleUuid: string): Promise<HeldSale> {
    const running = this.#running.get(saleUuid);
    if (running !== undefined) return running;
    const load = this.#options.load(saleUuid).finally(() => this.#running.delete(saleUuid));
    this.#running.set(saleUuid, load);
    return load;
  }

  /**
   * Loads a sale for a reader, or joins its load under way.
   *
   * @throws PublicError: that of a recent refusal, or `unavailable` where too many loads are under way
   */
  async runForReader(saleUuid: string): Promise<HeldSale> {
    const { refusals, now } = this.#options;
    const refusal = refusals.get(saleUuid, now());
    if (refusal !== undefined) throw refusal;
    if (!this.isRunning(saleUuid) && this.isFull) throw unavailable("Too many sales are being read at the moment.");
    return await this.run(ownText(saleUuid));
  }

  /**
   * Loads a sale by a load that begins from now on, for readers whom an earlier one may give too old a body.
   *
   * @param waitMs time to wait before it begins
   * @throws PublicError as `runForReader`
   */
  runNext(saleUuid: string, waitMs: number): Promise<HeldSale> {
    const waiting = this.#next.get(saleUuid);
    if (waiting !== undefined) return waiting;
    const next = this.#wait(saleUuid, waitMs)
      .finally(() => this.#next.delete(saleUuid))
      .then(() => this.runForReader(saleUuid));
    this.#next.set(saleUuid, next);
    return next;
  }

  async #wait(saleUuid: string, waitMs: number): Promise<void> {
    if (waitMs > 0) await delay(waitMs);
    await this.#running.get(saleUuid)?.catch(() => undefined);
  }
}
