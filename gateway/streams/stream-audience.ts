import type { ServerResponse } from "node:http";
import { type Span, startSpan, traceOf } from "../../common/platform/tracing/tracing.ts";
import type { HeldFeed } from "../public-read/cache/commitment-cache.ts";
import type { EventId } from "../public-read/cache/event-id.ts";
import type { Representation } from "../public-read/cache/representation.ts";
import type { SaleFieldsCache } from "../public-read/cache/sale-fields.ts";
import type { GatewayCounters } from "../web/http/counters.ts";
import { FeedEvents } from "./feed-events.ts";
import { SaleStream } from "./sale-stream.ts";
import { type FeedEventName, farewellChunk, RETRY_CHUNK } from "./stream-chunks.ts";

/** Shortest time between two events: 4 a second. */
const MIN_EVENT_INTERVAL_MS = 250;
/** Pages take a stream that is silent for 30 seconds for dead. */
const HEARTBEAT_INTERVAL_MS = 10_000;
/** Shortest time between two heartbeats: some chains have several blocks a second. */
const MIN_HEARTBEAT_INTERVAL_MS = 1_000;

/** Readers written to in one tick of the event loop, so that other requests don't wait for thousands of writes. */
const READERS_A_TURN = 250;

/** A chunk on its way to the readers who were there when sending began. Later readers get it when they join. */
interface Broadcast {
  readonly chunk: Buffer;
  readonly readers: Iterator<StreamReader>;
  /** Span from the first reader to the last; only for a state whose load was traced. */
  readonly span: Span | undefined;
  /** Commit of the earliest change in the chunk, in milliseconds since 1970, if that is known. */
  readonly committedAtMs: number | undefined;
}

interface SendOptions extends Partial<Pick<Broadcast, "span" | "committedAtMs">> {
  /** Whether a reader gets the chunk; all do by default. */
  readonly isAddressed?: (reader: StreamReader) => boolean;
}

/** An answer whose headers have been written. */
export type StreamReader = Pick<ServerResponse, "writableLength" | "end" | "destroy"> & {
  write(chunk: Buffer): boolean;
};

export interface StreamAudienceOptions {
  /** See `StreamConfig`. */
  readonly maxBufferBytes: number;
  /** See `FeedEvents`. */
  readonly unreachableAfterMs: number;
  readonly saleFields: SaleFieldsCache;
  readonly counters: GatewayCounters;
  readonly now: number;
  /** Returns milliseconds since 1970. */
  readonly wallClock: () => number;
}

/** The readers of a sale's stream. A reader costs an entry in a set; the chunks are shared. */
export class StreamAudience {
  readonly saleUuid: string;
  readonly #stream: SaleStream;
  readonly #feed: FeedEvents;
  readonly #maxBufferBytes: number;
  readonly #counters: GatewayCounters;
  readonly #wallClock: () => number;
  readonly #readers = new Set<StreamReader>();
  /** Readers who joined with a later state than the one that was sent last. Their stream begins with the next state. */
  readonly #ahead = new Map<StreamReader, EventId>();
  #advancedAt = -Infinity;
  /** Commit of the earliest change that hasn't been sent, in milliseconds since 1970, if that is known. */
  #unsentSinceMs: number | undefined;
  #heartbeatAt: number;
  /** Block that the last heartbeat was of. */
  #heartbeatBlock = "";
  /** Time until which readers get a heartbeat with each block, as figures sent lately may be of one that isn't known yet. */
  #followsUntil = -Infinity;
  #broadcast: Broadcast | undefined;
  /** Events about the feed that wait for the end of a broadcast. */
  readonly #waiting = new Set<FeedEventName>();
  /** Time of the last observation of the feed. */
  #observedAt: number;
  /** Time of the last read of the sale for these readers. */
  refreshedAt: number;

  constructor(saleUuid: string, representation: Representation, options: StreamAudienceOptions) {
    this.saleUuid = saleUuid;
    this.#stream = new SaleStream(representation);
    this.#feed = new FeedEvents(saleUuid, options.unreachableAfterMs, options.saleFields);
    this.#maxBufferBytes = options.maxBufferBytes;
    this.#counters = options.counters;
    this.#wallClock = options.wallClock;
    this.#heartbeatAt = options.now;
    this.#observedAt = options.now;
    this.refreshedAt = options.now;
  }

  get isEmpty(): boolean {
    return this.#readers.size === 0;
  }

  /**
   * @param latest the latest known state, which the readers may not have yet
   * @param had state that the new reader has already; it gets nothing older while a later state is on its way
   */
  join(reader: StreamReader, latest: Representation, had: EventId | undefined): void {
    this.#readers.add(reader);
    // Node sends the headers with the first bytes of the body.
    reader.write(RETRY_CHUNK);
    const isAhead = had !== undefined && this.#stream.isBehind(had) && this.#stream.isBehind(latest);
    if (isAhead) this.#ahead.set(reader, had);
    // Before the block that the figures are of: the reader has older ones.
    else if (had !== undefined) this.#catchUp(reader, had);
    reader.write(this.#feed.chunk("state", this.#observedAt));
    const sale = this.#feed.saleChunk();
    if (sale !== undefined) reader.write(sale);
    if (had === undefined) this.#catchUp(reader, had);
  }

  leave(reader: StreamReader): void {
    this.#readers.delete(reader);
    this.#ahead.delete(reader);
  }

  /**
   * Sends a state that is later than the last one sent, but not within 250 ms after that one, nor while it is still
   * on its way. The caller offers a state again until it has been sent.
   */
  offer(representation: Representation, now: number): void {
    if (!this.#stream.isBehind(representation)) return;
    this.#unsentSinceMs ??= representation.committedAtMs;
    const isDue = now - this.#advancedAt >= MIN_EVENT_INTERVAL_MS && this.#broadcast === undefined;
    if (!isDue) return;
    this.#advancedAt = now;
    const committedAtMs = this.#unsentSinceMs;
    this.#unsentSinceMs = undefined;
    this.#followsUntil = now + HEARTBEAT_INTERVAL_MS;
    const attributes = { "tidemark.readers": this.#readers.size };
    const span = startSpan(traceOf(representation), "send to streams", { attributes });
    const isAddressed = (reader: StreamReader) => !this.#ahead.has(reader);
    this.#send(this.#stream.advance(representation), { span, committedAtMs, isAddressed });
    for (const [reader, had] of this.#ahead) this.#catchUp(reader, had);
    this.#ahead.clear();
  }

  /**
   * Takes what is known about the feed now. Sends a `state` event where the figures have begun to stand still or no
   * longer do, a `sale` event where the sale is another one, and a `heartbeat` when it is due: at its time, and with each block for a
   * while after figures, so that the block that a page names isn't an older one than that of its rows. What is known about a body that
   * readers haven't been sent yet has to wait for that body: they are never told a later block than that of their rows.
   */
  observe(feed: HeldFeed | undefined, now: number): void {
    this.#observedAt = now;
    const isEarly = feed !== undefined && this.#stream.isBehind(feed.representation);
    for (const event of this.#feed.observe(feed, now, isEarly)) this.#waiting.add(event);
    if (this.#heartbeatIsDue(now)) {
      this.#heartbeatAt = now;
      this.#heartbeatBlock = this.#feed.block;
      this.#waiting.add("heartbeat");
    }
    if (this.#broadcast === undefined) this.#sendWaiting();
  }

  /** Ends the stream of each reader with a time to reconnect, and cuts readers who don't keep up. */
  end(): void {
    let index = 0;
    for (const reader of this.#readers) {
      if (reader.writableLength > 0) reader.destroy();
      else reader.end(farewellChunk(index++));
    }
    this.#readers.clear();
    this.#ahead.clear();
  }

  #heartbeatIsDue(now: number): boolean {
    const ageMs = now - this.#heartbeatAt;
    if (ageMs >= HEARTBEAT_INTERVAL_MS) return true;
    return ageMs >= MIN_HEARTBEAT_INTERVAL_MS && now < this.#followsUntil && this.#feed.block !== this.#heartbeatBlock;
  }

  #catchUp(reader: StreamReader, had: EventId | undefined): void {
    for (const chunk of this.#stream.catchUp(had)) reader.write(chunk);
  }

  #sendWaiting(): void {
    const [event] = this.#waiting;
    if (event === undefined) return;
    this.#waiting.delete(event);
    const chunk = event === "sale" ? this.#feed.saleChunk() : this.#feed.chunk(event, this.#observedAt);
    if (chunk !== undefined) this.#send(chunk);
  }

  #send(chunk: Buffer, { span, committedAtMs, isAddressed = () => true }: SendOptions = {}): void {
    const readers = Array.from(this.#readers).filter(isAddressed).values();
    this.#broadcast = { chunk, readers, span, committedAtMs };
    this.#continue(this.#broadcast);
  }

  #continue(broadcast: Broadcast): void {
    const { chunk, readers } = broadcast;
    for (let count = 0; count < READERS_A_TURN; count++) {
      const { value: reader, done } = readers.next();
      if (done === true) {
        this.#end(broadcast);
        return;
      }
      if (this.#readers.has(reader)) this.#write(reader, chunk);
    }
    setImmediate(() => this.#continue(broadcast));
  }

  #end({ span, committedAtMs }: Broadcast): void {
    this.#broadcast = undefined;
    span?.end();
    // The clocks of database and gateway may differ.
    if (committedAtMs !== undefined) this.#counters.streamDelays.add(Math.max(0, this.#wallClock() - committedAtMs));
    this.#sendWaiting();
  }

  /** Writes a chunk; cuts a reader for whom too many bytes are waiting already. */
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
