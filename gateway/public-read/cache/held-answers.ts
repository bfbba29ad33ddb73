import { setTimeout as delay } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import type { Logger } from "../../../common/platform/log/log.ts";
import { ownText } from "../../web/http/own-text.ts";

/** Age of the last call about a sale after which a reader waits for the next: as long as there are readers, it isn't reached. */
const QUIET_MS = 60_000;

export interface HeldAnswersOptions<Answer> {
  /** Asks a service about a sale. */
  readonly ask: (saleUuid: string) => Promise<Answer>;
  /** The name of what is asked for, for the log. */
  readonly name: string;
  /** Time after which a sale is asked about again. */
  readonly freshMs: number;
  /** Sales about which something is held. */
  readonly maxSales: number;
  /** The bytes of all answers that are held, for answers of any length; absent for short ones. */
  readonly size?: { readonly maxBytes: number; readonly bytesOf: (answer: Answer) => number };
  /** Calls at once. */
  readonly maxLoads: number;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** The last answer about a sale. */
export interface HeldAnswer<Answer> {
  /** Absent while there was none yet. */
  readonly answer?: Answer;
  /** When it was asked for: the answer is that old. */
  readonly answeredAt: number;
  /** When it was last asked for, without an answer, too. */
  readonly askedAt: number;
}

/** The last answers of a service about sales. A reader gets what is held, and a call in the background brings the next. */
export class HeldAnswers<Answer> {
  readonly #options: HeldAnswersOptions<Answer>;
  readonly #held: LRUCache<string, HeldAnswer<Answer>>;
  readonly #loads = new Map<string, Promise<void>>();

  constructor(options: HeldAnswersOptions<Answer>) {
    this.#options = options;
    const { maxSales: max, size } = options;
    const sizeCalculation = ({ answer }: HeldAnswer<Answer>) =>
      Math.max(1, answer === undefined ? 0 : (size?.bytesOf(answer) ?? 0));
    this.#held = new LRUCache(size === undefined ? atMost(max) : { max, maxSize: size.maxBytes, sizeCalculation });
  }

  /** Returns what is held about a sale; asks again in the background when that is due. @returns undefined before the first call has ended */
  get(saleUuid: string): HeldAnswer<Answer> | undefined {
    if (this.#isDue(saleUuid)) void this.#refresh(saleUuid);
    return this.#held.get(saleUuid);
  }

  /**
   * Waits until something is held about a sale, and after a time without readers for the next answer, but not for long. Never fails:
   * while the service fails or is slow, or too much is asked of it, what is held stays, or has no answer.
   */
  async ready(saleUuid: string, waitMs: number): Promise<void> {
    const held = this.#held.peek(saleUuid);
    if (held === undefined || this.#options.now() - held.askedAt > QUIET_MS) await this.current(saleUuid, waitMs);
  }

  /** Waits, as `ready`, for each answer that is due. */
  async current(saleUuid: string, waitMs: number): Promise<void> {
    if (!this.#isDue(saleUuid)) return;
    const waiting = new AbortController();
    const waited = delay(waitMs, undefined, { signal: waiting.signal }).catch(() => {});
    await Promise.race([this.#refresh(saleUuid), waited]);
    waiting.abort();
    if (this.#held.has(saleUuid)) return;
    // As if it had been asked for long ago: the next reader asks again, and an answer under way replaces it.
    const longAgo = this.#options.now() - this.#options.freshMs - 1;
    this.#held.set(ownText(saleUuid), { answeredAt: longAgo, askedAt: longAgo });
  }

  #isDue(saleUuid: string): boolean {
    const { now, freshMs } = this.#options;
    const held = this.#held.peek(saleUuid);
    return held === undefined || now() - held.askedAt > freshMs;
  }

  /** Asks about a sale now, unless too much is asked already. Never fails: the answer before is kept. */
  #refresh(saleUuid: string): Promise<void> {
    const running = this.#loads.get(saleUuid);
    if (running !== undefined || this.#loads.size >= this.#options.maxLoads) return running ?? Promise.resolve();
    const own = ownText(saleUuid);
    const load = this.#load(own).finally(() => this.#loads.delete(own));
    this.#loads.set(own, load);
    return load;
  }

  async #load(saleUuid: string): Promise<void> {
    const { ask, name, now, logger } = this.#options;
    const askedAt = now();
    try {
      this.#held.set(saleUuid, { answer: await ask(saleUuid), answeredAt: askedAt, askedAt });
    } catch (error) {
      logger.debug({ err: error, saleUuid }, `${name} can't be read`);
      this.#held.set(saleUuid, { answeredAt: askedAt, ...this.#held.peek(saleUuid), askedAt });
    }
  }
}
