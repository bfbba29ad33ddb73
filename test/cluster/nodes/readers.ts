import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

export interface ReadersOptions {
  readonly count: number;
  /** Milliseconds between two reads of one reader. */
  readonly pauseMs: number;
  /** Whether a status is the right answer. */
  readonly isAnswer: (status: number) => boolean;
}

/** Readers that go on until they are stopped, each read on a connection of its own. */
export class Readers {
  readonly failures: string[] = [];
  reads = 0;
  #stopped = false;
  readonly #running: Promise<unknown>;

  constructor(url: string, options: ReadersOptions) {
    this.#running = Promise.all(Array.from({ length: options.count }, () => this.#read(url, options)));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #read(url: string, { pauseMs, isAnswer }: ReadersOptions): Promise<void> {
    while (!this.#stopped) {
      const outcome = await answer(url);
      this.reads += 1;
      if (typeof outcome === "string" || !isAnswer(outcome))
        this.failures.push(`${new Date().toISOString()} ${outcome}`);
      await delay(pauseMs);
    }
  }
}

/** The status of an answer that arrived whole, or the error. */
function answer(url: string): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(url, { agent: false }, (response) => {
      response.on("error", (error) => resolve(String(error))).on("end", () => resolve(response.statusCode ?? 0));
      response.resume();
    });
    sent.on("error", (error) => resolve(String(error))).end();
  });
}
