import { setTimeout as delay } from "node:timers/promises";
import { applyEvent, type PublicSaleBody } from "../../../gateway/testing/apply-event.ts";
import { type StreamPart, StreamReader } from "../../../gateway/testing/stream-reader.ts";

/** Shorter than browsers are told to wait, so that more happens. */
const RETRY_MS = 100;
/** What a gateway may answer instead of a stream. */
export const REFUSALS: ReadonlySet<number> = new Set([503, 504]);

interface Version {
  readonly generation: string;
  readonly revision: bigint;
}

/** Follows the stream of a sale as a page does: applies the differences, and connects again where it ends. */
export class StreamFollower {
  /** Bodies and differences that have come. */
  events = 0;
  /** How often a stream has ended. */
  ended = 0;
  /** How often a gateway has refused one. */
  refused = 0;
  readonly #nextUrl: () => string;
  #body: PublicSaleBody | undefined;
  #version: Version | undefined;
  #lastEventId: string | undefined;

  /** @param nextUrl where to connect to this time */
  constructor(nextUrl: () => string) {
    this.#nextUrl = nextUrl;
  }

  get body(): PublicSaleBody | undefined {
    return this.#body;
  }

  get revision(): bigint {
    return this.#version?.revision ?? 0n;
  }

  /** Until `over` aborts. @throws Error where a stream goes back, or says what none should. */
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
      else this.#noteRefusal(reader.response.status);
    } finally {
      over.removeEventListener("abort", close);
      close();
    }
  }

  async #readParts(reader: StreamReader): Promise<void> {
    let isFirst = true;
    // A connection that breaks is an end like any other.
    for (;;) {
      const part = await reader.part().catch(() => undefined);
      if (part === undefined) break;
      if (part.data === undefined) continue;
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

  #noteRefusal(status: number): void {
    if (!REFUSALS.has(status)) throw new Error(`a stream was answered by ${status}`);
    this.refused += 1;
  }
}

function versionOf({ id = "" }: StreamPart): Version {
  const [generation = "", revision = ""] = id.split("-");
  return { generation, revision: BigInt(revision) };
}
