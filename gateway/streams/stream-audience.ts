import type { ServerResponse } from "node:http";
import { type Span, startSpan, traceOf } from "../../services/shared/tracing/tracing.ts";
import type { EventId } from "../public-read/cache/event-id.ts";
import type { Representation } from "../public-read/cache/representation.ts";
import type { GatewayCounters } from "../web/http/counters.ts";
import { SaleStream } from "./sale-stream.ts";
import { farewellChunk, HEARTBEAT_CHUNK, RETRY_CHUNK } from "./stream-chunks.ts";

/** Readers get no more than 4 events a second. */
const MIN_EVENT_INTERVAL_MS = 250;

/** Readers written to in one turn of the event loop, so that other requests needn't wait for thousands. */
const READERS_A_TURN = 250;

/** Bytes on their way to those who read when they were sent. Who comes later has been told already. */
interface Broadcast {
  readonly chunk: Buffer;
  readonly readers: Iterator<StreamReader>;
  /** Of a state whose load was traced; from the first reader to the last. */
  readonly span: Span | undefined;
}

interface SendOptions {
  readonly span?: Span | undefined;
  /** All by default. */
  readonly isAddressed?: (reader: StreamReader) => boolean;
}

/** An answer whose head has been written. */
export type StreamReader = Pick<ServerResponse, "writableLength" | "end" | "destroy"> & {
  write(chunk: Buffer): boolean;
};

export interface StreamAudienceOptions {
  /** See `StreamConfig`. */
  readonly maxBufferBytes: number;
  readonly counters: GatewayCounters;
  readonly now: number;
}

/** All who read the stream of a sale. Each costs an entry in a set; what is sent is shared. */
export class StreamAudience {
  readonly saleUuid: string;
  readonly #stream: SaleStream;
  readonly #maxBufferBytes: number;
  readonly #counters: GatewayCounters;
  readonly #readers = new Set<StreamReader>();
  /** Those of the readers who have had a later state than the one that was sent last; they begin with the next one. */
  readonly #ahead = new Map<StreamReader, EventId>();
  #advancedAt = -Infinity;
  #broadcast: Broadcast | undefined;
  /** When the sale was last asked for on behalf of its readers. */
  refreshedAt: number;

  constructor(saleUuid: string, representation: Representation, options: StreamAudienceOptions) {
    this.saleUuid = saleUuid;
    this.#stream = new SaleStream(representation);
    this.#maxBufferBytes = options.maxBufferBytes;
    this.#counters = options.counters;
    this.refreshedAt = options.now;
  }

  get isEmpty(): boolean {
    return this.#readers.size === 0;
  }

  /**
   * @param latest the state that is known of now: readers may be behind it for a moment
   * @param had what the new reader has had already: it is sent nothing older while something later is on its way
   */
  join(reader: StreamReader, latest: Representation, had: EventId | undefined): void {
    this.#readers.add(reader);
    if (had === undefined || !this.#stream.isBehind(had) || !this.#stream.isBehind(latest)) {
      this.#catchUp(reader, had);
      return;
    }
    this.#ahead.set(reader, had);
    // The head of the answer leaves with the first bytes of its body.
    reader.write(RETRY_CHUNK);
  }

  leave(reader: StreamReader): void {
    this.#readers.delete(reader);
    this.#ahead.delete(reader);
  }

  /**
   * Sends a state that is later than the last one sent; not within 250 ms of that, nor while that is still on its way.
   * To be offered again until it is the last one.
   */
  offer(representation: Representation, now: number): void {
    const isDue = now - this.#advancedAt >= MIN_EVENT_INTERVAL_MS && this.#broadcast === undefined;
    if (!isDue || !this.#stream.isBehind(representation)) return;
    this.#advancedAt = now;
    const attributes = { "tidemark.readers": this.#readers.size };
    const span = startSpan(traceOf(representation), "send to streams", { kind: "producer", attributes });
    this.#send(this.#stream.advance(representation), { span, isAddressed: (reader) => !this.#ahead.has(reader) });
    for (const [reader, had] of this.#ahead) this.#catchUp(reader, had);
    this.#ahead.clear();
  }

  /** Sends a comment, unless something is being sent anyway. */
  heartbeat(): void {
    if (this.#broadcast === undefined) this.#send(HEARTBEAT_CHUNK);
  }

  /** Ends the stream of each reader with a time to come back at, and cuts those who don't read. */
  end(): void {
    let turn = 0;
    for (const reader of this.#readers) {
      if (reader.writableLength > 0) reader.destroy();
      else reader.end(farewellChunk(turn++));
    }
    this.#readers.clear();
    this.#ahead.clear();
  }

  #catchUp(reader: StreamReader, had: EventId | undefined): void {
    for (const chunk of this.#stream.catchUp(had)) reader.write(chunk);
  }

  #send(chunk: Buffer, { span, isAddressed = () => true }: SendOptions = {}): void {
    this.#broadcast = { chunk, readers: Array.from(this.#readers).filter(isAddressed).values(), span };
    this.#continue(this.#broadcast);
  }

  #continue({ chunk, readers, span }: Broadcast): void {
    for (let count = 0; count < READERS_A_TURN; count++) {
      const { value: reader, done } = readers.next();
      if (done === true) {
        this.#broadcast = undefined;
        span?.end();
        return;
      }
      if (this.#readers.has(reader)) this.#write(reader, chunk);
    }
    setImmediate(() => this.#continue({ chunk, readers, span }));
  }

  /** A reader for whom too many bytes wait already is cut. */
  #write(reader: StreamReader, chunk: Buffer): void {
    if (reader.writableLength <= this.#maxBufferBytes + this.#stream.bodyLength) {
      reader.write(chunk);
      return;
    }
    this.#counters.droppedStreams++;
    this.leave(reader);
    reader.destroy();
  }
}
