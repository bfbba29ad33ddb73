import { setTimeout as delay } from "node:timers/promises";

/** Time that an ordinary client waits before it tries again. */
const RETRY_MS = 500;

/** Counts the successes of clients, and how many needed a second attempt. */
export class Attempts {
  done = 0;
  again = 0;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** Makes an attempt, and one more if it fails, as ordinary clients do. @throws Error if both fail */
  async twice<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const result = await attempt().catch((first: unknown) => this.#again(first, attempt));
    this.done += 1;
    return result;
  }

  get summary(): string {
    return `${this.done} ${this.#name} (${this.again} at the second attempt)`;
  }

  async #again<Result>(first: unknown, attempt: () => Promise<Result>): Promise<Result> {
    this.again += 1;
    await delay(RETRY_MS);
    try {
      return await attempt();
    } catch (second) {
      throw new Error(`${this.#name} failed twice: ${String(first)}, then ${String(second)}`, { cause: second });
    }
  }
}
