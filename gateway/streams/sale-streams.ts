import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { rememberTrace } from "../../services/shared/tracing/tracing.ts";
import type { CommitmentCache } from "../public-read/cache/commitment-cache.ts";
import { type EventId, parseEventId } from "../public-read/cache/event-id.ts";
import type { Representation } from "../public-read/cache/representation.ts";
import type { GatewayCounters } from "../web/http/counters.ts";
import { PublicError, unavailable } from "../web/http/public-error.ts";
import { PLAIN_PUBLIC_HEADERS } from "../web/http/public-headers.ts";
import { StreamAudience } from "./stream-audience.ts";
import type { StreamConfig } from "./stream-config.ts";
import { StreamLimits } from "./stream-limits.ts";

/** How often is looked for what is due. */
const TICK_MS = 50;
const HEARTBEAT_INTERVAL_MS = 15_000;
/** A sale that isn't current is asked for no more often than this. */
const REFRESH_INTERVAL_MS = 1_000;

/** The answer ends with its connection: no chunked coding, so that the bytes written are the same for all readers. */
const STREAM_HEADERS = [
  "Content-Type",
  "text/event-stream",
  "Cache-Control",
  "no-store",
  // For nginx, which would keep events back.
  "X-Accel-Buffering",
  "no",
  "Connection",
  "close",
  ...PLAIN_PUBLIC_HEADERS,
];

const SECOND_ON_CONNECTION = new PublicError("invalid_argument", "A stream needs a connection of its own.");

export interface SaleStreamsOptions {
  readonly cache: CommitmentCache;
  readonly config: StreamConfig;
  /** Where a request comes from. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly counters: GatewayCounters;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** Where a stream begins. */
interface StreamBeginning {
  readonly saleUuid: string;
  readonly representation: Representation;
  /** What its reader has had; undefined where that is nothing, or no ID of ours. */
  readonly lastEventId: EventId | undefined;
}

/** The streams of server-sent events of all sales (HTML standard, section 9.2). */
export class SaleStreams {
  readonly #options: SaleStreamsOptions;
  readonly #limits: StreamLimits;
  readonly #audiences = new Map<string, StreamAudience>();
  /** Those that carry a stream. */
  readonly #connections = new WeakSet<Socket>();
  #timer: NodeJS.Timeout | undefined;
  #heartbeatAt: number;
  #isStopped = false;

  constructor(options: SaleStreamsOptions) {
    this.#options = options;
    this.#limits = new StreamLimits(options.config);
    this.#heartbeatAt = options.now();
    options.cache.onReplaced((saleUuid, representation) => {
      // It may be sent later, when its turn comes.
      rememberTrace(representation);
      this.#audiences.get(saleUuid)?.offer(representation, options.now());
    });
  }

  start(): void {
    this.#timer = setInterval(() => this.tick(), TICK_MS);
  }

  /** Ends all streams; their readers come back over some seconds. Later ones are refused. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    for (const audience of this.#audiences.values()) audience.end();
  }

  /**
   * Answers with a stream; done once that has begun.
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

  /** Does what is due now. */
  tick(): void {
    const now = this.#options.now();
    const isHeartbeat = now - this.#heartbeatAt >= HEARTBEAT_INTERVAL_MS;
    if (isHeartbeat) this.#heartbeatAt = now;
    for (const [saleUuid, audience] of this.#audiences) {
      this.#keepCurrent(saleUuid, audience, now);
      if (isHeartbeat) audience.heartbeat();
    }
  }

  async #read(saleUuid: string, lastEventId: EventId | undefined): Promise<Representation> {
    const { cache } = this.#options;
    if (lastEventId !== undefined) return cache.readSince(saleUuid, lastEventId);
    return (await cache.read(saleUuid)).representation;
  }

  /** @returns what undoes it; may be called more than once */
  #enter(request: IncomingMessage): () => void {
    const { socket } = request;
    // Answers that wait for one another on a connection hear nothing of its end.
    if (this.#connections.has(socket)) throw SECOND_ON_CONNECTION;
    const address = ownText(this.#options.addressOf(request));
    this.#limits.enter(address);
    this.#connections.add(socket);
    this.#options.counters.openStreams++;
    return () => {
      if (!this.#connections.delete(socket)) return;
      this.#limits.leave(address);
      this.#options.counters.openStreams--;
    };
  }

  #audienceOf(saleUuid: string, representation: Representation): StreamAudience {
    const present = this.#audiences.get(saleUuid);
    if (present !== undefined) return present;
    const { config, counters, now } = this.#options;
    const { maxBufferBytes } = config;
    const audience = new StreamAudience(ownText(saleUuid), representation, { maxBufferBytes, counters, now: now() });
    this.#audiences.set(audience.saleUuid, audience);
    return audience;
  }

  #join(request: IncomingMessage, response: ServerResponse, beginning: StreamBeginning, leave: () => void): void {
    const { saleUuid, representation, lastEventId } = beginning;
    const audience = this.#audienceOf(saleUuid, representation);
    // A stream may be silent for longer than other answers.
    request.socket.setTimeout(0);
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, STREAM_HEADERS);
    const onClose = (): void => {
      leave();
      audience.leave(response);
      if (audience.isEmpty) this.#remove(audience);
    };
    response.once("close", onClose);
    request.socket.once("close", onClose);
    audience.join(response, representation, lastEventId);
  }

  /** Looking at a sale also counts as reading it, by which it is kept fresh in the background. */
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
      // While the figures can't be read, readers wait with those that they have.
      if (!(error instanceof PublicError && error.code === "not_found")) return;
      this.#remove(audience);
      audience.end();
    }
  }

  #remove(audience: StreamAudience): void {
    const { saleUuid } = audience;
    if (this.#audiences.get(saleUuid) === audience) this.#audiences.delete(saleUuid);
  }
}

function lastEventIdOf({ headers }: IncomingMessage): EventId | undefined {
  const text = headers["last-event-id"];
  return typeof text === "string" ? parseEventId(text) : undefined;
}

/** A slice of a request keeps the whole request in memory; what is kept must not. */
function ownText(slice: string): string {
  return Buffer.from(slice, "latin1").toString("latin1");
}
