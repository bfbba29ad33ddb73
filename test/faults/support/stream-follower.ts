import { setTimeout as delay } from "node:timers/promises";
import { applyEvent, type PublicSaleBody } from "../../../gateway/testing/apply-event.ts";
import { type StreamPart, StreamReader } from "../../../gateway/testing/stream-reader.ts";

/** Time before a new connection, shorter than gateways ask of browsers, so that more happens in a test. */
const RETRY_MS = 100;
/** Statuses with which a gateway may answer instead of a stream. */
export const REFUSALS: ReadonlySet<number> = new Set([503, 504]);

interface Version {
  readonly generation: string;
  readonly revision: bigint;
}

/** Follows the stream of a sale as a page does: applies the differences, and reconnects when the stream ends. */
export class StreamFollower {
  /** The number of received bodies and differences. */
  events = 0;
  /** The number of streams that have ended. */
  ended = 0;
  /** The number of streams that a gateway has refused. */
  refused = 0;
  readonly #nextUrl: () => string;
  #body: PublicSaleBody | undefined;
  #version: Version | undefined;
  #lastEventId: string | undefined;

  /** @param nextUrl returns the URL for the next connection */
  constructor(nextUrl: () => string) {
    this.#nextUrl = nextUrl;
  }

  get body(): PublicSaleBody | undefined {
    return this.#body;
  }

  get revision(): bigint {
    return this.#version?.revision ?? 0n;
  }

  /** Follows until `over` aborts. @throws Error if a stream goes back to an older revision, or has an invalid event */
  async follow(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const reader = await StreamReader.open(this.#nextUrl(), this.#headers()).catch(() => undefined);
      if (reader !== undefined) await this.#read(reader, over);
      await delay(RETRY_MS, undefined, { signal: over }).catch(() => {});
    }
  }

  #headers(): Readonly<Record<string, string>> {
    return this.#lastEventId === undefined ? {} : { "last-event-id": this.#lastEventId };
  }

  async #read(reader: StreamReader, over: AbortSignal): Promise<void> {
    const close = () => reader.close();
    over.addEventListener("abort", close, { once: true });
    if (over.aborted) close();
    try {
      if (reader.response.status === 200) await this.#readParts(reader);
      else this.#countRefusal(reader.response.status);
    } finally {
      over.removeEventListener("abort", close);
      close();
    }
  }

  async #readParts(reader: StreamReader): Promise<void> {
    let isFirst = true;
    // A broken connection counts as the end of the stream.
    for (;;) {
      const part = await reader.part().catch(() => undefined);
      if (part === undefined) break;
      // Only events with figures have an ID.
      if (part.id === undefined) continue;
      this.#take(part, isFirst);
      isFirst = false;
    }
    this.ended += 1;
  }

  #take(part: StreamPart, isFirst: boolean): void {
    const version = versionOf(part);
    const last = this.#version;
    if (last?.generation === version.generation) {
      const isLater = isFirst ? version.revision >= last.revision : version.revision > last.revision;
      if (!isLater) throw new Error(`a stream went from revision ${last.revision} to ${version.revision}`);
    }
    this.#body = applyEvent(this.#body, part);
    this.#version = version;
    this.#lastEventId = part.id;
    this.events += 1;
  }

  #countRefusal(status: number): void {
    if (!REFUSALS.has(status)) throw new Error(`a stream was answered by ${status}`);
    this.refused += 1;
  }
}

function versionOf({ id = "" }: StreamPart): Version {
  const [generation = "", revision = ""] = id.split("-");
  return { generation, revision: BigInt(revision) };
}
