import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { outsideOfCalls } from "../../common/platform/concurrency/call-signal.ts";
import { attachTrace } from "../../common/platform/tracing/tracing.ts";
import type { CommitmentCache } from "../public-read/cache/commitment-cache.ts";
import { type EventId, parseEventId } from "../public-read/cache/event-id.ts";
import type { Representation } from "../public-read/cache/representation.ts";
import type { SaleFieldsCache } from "../public-read/cache/sale-fields.ts";
import { AddressLimits } from "../web/http/address-limits.ts";
import type { GatewayCounters } from "../web/http/counters.ts";
import { ownText } from "../web/http/own-text.ts";
import { PublicError, unavailable } from "../web/http/public-error.ts";
import { BASE_PUBLIC_HEADERS } from "../web/http/public-headers.ts";
import { releaseParser } from "./release-parser.ts";
import { StreamAudience } from "./stream-audience.ts";
import type { StreamConfig } from "./stream-config.ts";

/** Interval at which heartbeats, events and loads that are due are looked for, and whether a feed stands still, while there are streams. */
const TICK_MS = 50;
/** Shortest time between two reads of a sale that isn't current. */
const REFRESH_INTERVAL_MS = 1_000;

/** The answer ends with its connection, without chunked coding, so all readers get the same bytes. */
const STREAM_HEADERS = [
  "Content-Type",
  "text/event-stream",
  "Cache-Control",
  "no-store",
  // Otherwise nginx would buffer the events.
  "X-Accel-Buffering",
  "no",
  "Connection",
  "close",
  ...BASE_PUBLIC_HEADERS,
];

const SECOND_ON_CONNECTION = new PublicError("invalid_argument", "A stream needs a connection of its own.");

export interface SaleStreamsOptions {
  readonly cache: CommitmentCache;
  readonly saleFields: SaleFieldsCache;
  readonly config: StreamConfig;
  /** Returns the address that a request comes from. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly counters: GatewayCounters;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Returns milliseconds since 1970. */
  readonly wallClock: () => number;
}

/** The state that a stream begins with. */
interface StreamBeginning {
  readonly saleUuid: string;
  readonly representation: Representation;
  /** State that the reader has already; undefined without a valid `Last-Event-ID`. */
  readonly lastEventId: EventId | undefined;
}

/** The streams of server-sent events of all sales (HTML standard, section 9.2). */
export class SaleStreams {
  readonly #options: SaleStreamsOptions;
  readonly #limits: AddressLimits;
  readonly #audiences = new Map<string, StreamAudience>();
  /** Connections with an open stream. */
  readonly #connections = new WeakSet<Socket>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: SaleStreamsOptions) {
    this.#options = options;
    const { maxStreams, maxPerAddress } = options.config;
    this.#limits = new AddressLimits({ max: maxStreams, maxPerAddress, full, addressFull });
    options.cache.onReplaced((saleUuid, representation) => {
      // It may be sent later, when the next event is due.
      attachTrace(representation);
      this.#audiences.get(saleUuid)?.offer(representation, options.now());
    });
  }

  /** Ends all streams, and refuses new ones. The readers reconnect over the next few seconds. */
  stop(): void {
    this.#isStopped = true;
    this.#stopTicking();
    for (const audience of this.#audiences.values()) audience.end();
  }

  /**
   * Answers with a stream. The promise resolves once the stream has begun.
   *
   * @param saleUuid in canonical form
   * @throws PublicError: as the cache's `read`; `resource_exhausted` or `unavailable` where there are too many streams
   */
  async open(request: IncomingMessage, response: ServerResponse, saleUuid: string): Promise<void> {
    const leave = this.#enter(request);
    try {
      const lastEventId = lastEventIdOf(request);
      const representation = await this.#read(saleUuid, lastEventId);
      if (this.#isStopped) throw unavailable("The service is stopping.");
      if (request.method === "HEAD") {
        leave();
        response.writeHead(200, STREAM_HEADERS).end();
      } else if (request.socket.destroyed) leave();
      else this.#join(request, response, { saleUuid, representation, lastEventId }, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Sends heartbeats and events that are due, and refreshes sales that aren't current. */
  tick(): void {
    const { cache, now: clock } = this.#options;
    const now = clock();
    for (const [saleUuid, audience] of this.#audiences) {
      this.#keepCurrent(saleUuid, audience, now);
      audience.observe(cache.feed(saleUuid), now);
    }
  }

  async #read(saleUuid: string, lastEventId: EventId | undefined): Promise<Representation> {
    const { cache } = this.#options;
    if (lastEventId !== undefined) return cache.readSince(saleUuid, lastEventId);
    return (await cache.read(saleUuid)).representation;
  }

  /** Counts a stream. @returns a function that ends the count; calling it again does nothing */
  #enter(request: IncomingMessage): () => void {
    const { socket } = request;
    // A second answer on a connection waits for the first, and isn't notified when the connection closes.
    if (this.#connections.has(socket)) throw SECOND_ON_CONNECTION;
    const leave = this.#limits.enter(this.#options.addressOf(request));
    this.#connections.add(socket);
    this.#options.counters.openStreams++;
    return () => {
      if (!this.#connections.delete(socket)) return;
      leave();
      this.#options.counters.openStreams--;
    };
  }

  #audienceOf(saleUuid: string, representation: Representation): StreamAudience {
    const present = this.#audiences.get(saleUuid);
    if (present !== undefined) return present;
    const { cache, saleFields, config, counters, now, wallClock } = this.#options;
    const { maxBufferBytes } = config;
    const { unreachableAfterMs } = cache;
    const audience = new StreamAudience(ownText(saleUuid), representation, {
      maxBufferBytes,
      unreachableAfterMs,
      saleFields,
      counters,
      now: now(),
      wallClock,
    });
    this.#audiences.set(audience.saleUuid, audience);
    this.#timer ??= outsideOfCalls(() => setInterval(() => this.tick(), TICK_MS));
    return audience;
  }

  #join(request: IncomingMessage, response: ServerResponse, beginning: StreamBeginning, leave: () => void): void {
    const { saleUuid, lastEventId } = beginning;
    const feed = this.#options.cache.feed(saleUuid);
    // An event may have made a later body since the read.
    const representation = feed?.representation ?? beginning.representation;
    const audience = this.#audienceOf(saleUuid, representation);
    // A stream may be idle for longer than the socket timeout of other answers.
    request.socket.setTimeout(0);
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, STREAM_HEADERS);
    const onClose = (): void => {
      leave();
      audience.leave(response);
      if (audience.isEmpty) this.#remove(audience);
    };
    // `once` would keep a wrapper with each listener, and these events come once anyway.
    response.on("close", onClose);
    request.socket.on("close", onClose);
    audience.observe(feed, this.#options.now());
    audience.join(response, representation, lastEventId);
    releaseParser(request.socket);
  }

  /**
   * Offers the held body to the readers. That also counts as a read, so the background refresh keeps the sale
   * current.
   */
  #keepCurrent(saleUuid: string, audience: StreamAudience, now: number): void {
    const representation = this.#options.cache.fresh(saleUuid);
    if (representation !== undefined) {
      audience.offer(representation, now);
    } else if (now - audience.refreshedAt >= REFRESH_INTERVAL_MS) {
      audience.refreshedAt = now;
      void this.#refresh(saleUuid, audience);
    }
  }

  async #refresh(saleUuid: string, audience: StreamAudience): Promise<void> {
    try {
      await this.#options.cache.read(saleUuid);
    } catch (error) {
      // While the figures can't be read, readers keep the ones that they have.
      if (!(error instanceof PublicError && error.code === "not_found")) return;
      this.#remove(audience);
      audience.end();
    }
  }

  #remove(audience: StreamAudience): void {
    const { saleUuid } = audience;
    if (this.#audiences.get(saleUuid) === audience) this.#audiences.delete(saleUuid);
    if (this.#audiences.size === 0) this.#stopTicking();
  }

  #stopTicking(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function lastEventIdOf({ headers }: IncomingMessage): EventId | undefined {
  const text = headers["last-event-id"];
  return typeof text === "string" ? parseEventId(text) : undefined;
}

function full(): PublicError {
  return unavailable("Too many streams are open at the moment.");
}

function addressFull(): PublicError {
  const message = "Too many streams are open from this address.";
  return new PublicError("resource_exhausted", message, { headers: ["Retry-After", "10"] });
}
