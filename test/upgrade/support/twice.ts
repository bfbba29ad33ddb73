import { setTimeout as delay } from "node:timers/promises";

/** What an ordinary client waits before it tries again. */
const RETRY_MS = 500;

/** Counts what clients do, and how often they had to try again. */
export class Attempts {
  done = 0;
  again = 0;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** Tries once more where `attempt` fails, as ordinary clients do. @throws Error where that fails, too */
  async twice<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const result = await attempt().catch((first: unknown) => this.#again(first, attempt));
    this.done += 1;
    return result;
  }

  get summary(): string {
    return `${this.done} ${this.#name} (${this.again} at the second try)`;
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
