import { setTimeout as delay } from "node:timers/promises";
import { StreamReader } from "../../../gateway/testing/stream-reader.ts";

/** Milliseconds before a stream that has ended is opened again. */
const RECONNECT_MS = 200;

/** Streams of a sale's figures. Each is opened again when it ends, after the last event that it brought, until all are stopped. */
export class ResumingStreams {
  /** Attempts that got no stream. */
  readonly failures: string[] = [];
  /** IDs of the last state that each stream has brought. */
  readonly lastIds: string[];
  readonly #resumed = new Set<number>();
  readonly #url: string;
  readonly #open = new Set<StreamReader>();
  readonly #running: Promise<unknown>;
  #stopped = false;

  constructor(url: string, count: number) {
    this.#url = url;
    this.lastIds = Array.from({ length: count }, () => "");
    this.#running = Promise.all(this.lastIds.map((_, index) => this.#follow(index)));
  }

  /** Number of streams that have gone on after an end. */
  get resumed(): number {
    return this.#resumed.size;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const reader of this.#open) reader.close();
    await this.#running;
  }

  async #follow(index: number): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#read(index);
      } catch (error) {
        if (!this.#stopped) this.failures.push(`${new Date().toISOString()} ${error}`);
      }
      await delay(RECONNECT_MS);
    }
  }

  /** Reads a stream to its end. @throws Error where none was opened */
  async #read(index: number): Promise<void> {
    const after = this.lastIds[index] ?? "";
    const reader = await StreamReader.open(this.#url, after === "" ? {} : { "last-event-id": after });
    this.#open.add(reader);
    try {
      if (reader.response.status !== 200) throw new Error(`status ${reader.response.status}`);
      if (after !== "") this.#resumed.add(index);
      await this.#keepIds(index, reader);
    } finally {
      this.#open.delete(reader);
      reader.close();
    }
  }

  /** Keeps the IDs of its events until it ends, or its connection does. */
  async #keepIds(index: number, reader: StreamReader): Promise<void> {
    const next = () => reader.part().catch(() => undefined);
    for (let part = await next(); part !== undefined; part = await next())
      if (part.id !== undefined) this.lastIds[index] = part.id;
  }
}
