import { setTimeout as sleep } from "node:timers/promises";

export interface SendPaceOptions {
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** A random number from 0, inclusive, to 1. */
  readonly random: () => number;
}

/** The sends whose time is kept. */
const KEPT = 32;
/** The time that is assumed before the first send, in milliseconds. */
const FIRST_MS = 200;

/**
 * Sends mails, and imitates sends in which no mail leaves, so that nobody who asks for a code can see from the answer or
 * its time whether a mail was sent.
 */
export class SendPace {
  readonly #options: SendPaceOptions;
  readonly #recentMs: number[] = [];
  /** The error of the latest send; undefined if it succeeded. */
  #failure: unknown;

  constructor(options: SendPaceOptions = { now: () => performance.now(), sleep, random: Math.random }) {
    this.#options = options;
  }

  /** Runs `work`, which sends a mail, and keeps how long it takes and whether it fails. */
  async send(work: () => Promise<void>): Promise<void> {
    const startedAt = this.#options.now();
    try {
      await work();
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error;
      throw error;
    } finally {
      this.#recentMs.push(this.#options.now() - startedAt);
      if (this.#recentMs.length > KEPT) this.#recentMs.shift();
    }
  }

  /** Waits for as long as one of the latest sends took. @throws the error of the latest one, if it failed */
  async imitate(): Promise<void> {
    const { random, sleep } = this.#options;
    await sleep(this.#recentMs[Math.floor(random() * this.#recentMs.length)] ?? FIRST_MS);
    if (this.#failure !== undefined) throw this.#failure;
  }
}
