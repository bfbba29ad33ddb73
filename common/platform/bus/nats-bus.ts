import { setTimeout as delay } from "node:timers/promises";
import {
  type ConnectionOptions,
  connect,
  DiscardPolicy,
  Events,
  headers,
  type JetStreamClient,
  type JetStreamManager,
  type MsgHdrs,
  type NatsConnection,
  nanos,
  RetentionPolicy,
  type Status,
  StorageType,
  type StreamInfo,
  type Subscription,
} from "nats";
import type { Logger } from "../log/log.ts";
import { formatTraceParent, parseTraceParent, type TraceContext } from "../tracing/trace-context.ts";
import { isTracing } from "../tracing/tracing.ts";
import type { Bus, BusEvent, BusListener, EventStream } from "./bus.ts";
import type { NatsConfig, StreamConfig } from "./config.ts";
import { CALL_TIMEOUT_MS, connectionOptions, findStream, RECONNECT_WAIT_MS } from "./nats-connection.ts";

/** The time for which the stream remembers IDs and drops repeats. */
const DUPLICATE_WINDOW_MS = 120_000;
const NANOS_PER_MS = 1_000_000;
/** Different refusals that are logged for a connection. Each is logged once. */
const MAX_REFUSALS = 100;
/** W3C Trace Context, as in HTTP. */
const TRACE_HEADER = "traceparent";

export interface NatsBusOptions {
  readonly config: NatsConfig;
  /** The stream that stores events. */
  readonly stream: EventStream;
  readonly name: string;
  readonly logger: Logger;
}

interface Listening {
  readonly subject: string;
  readonly listener: BusListener;
  subscription?: Subscription;
}

/**
 * A bus on NATS. A stream of JetStream stores the events; listeners use subscriptions of core NATS, without a stored
 * position. A listener that was disconnected finds out elsewhere what it missed, so it needs no consumer at the server,
 * nor the stream.
 */
export class NatsBus implements Bus {
  readonly system = "nats";
  readonly maxAgeMillis: bigint;
  readonly #options: NatsBusOptions;
  readonly #listening = new Set<Listening>();
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #connection: NatsConnection | undefined;
  /** Messages are given to the client only while connected: else it would queue them without a bound. */
  #connected = false;
  #manager: JetStreamManager | undefined;
  #jetStream: JetStreamClient | undefined;
  #hasUpdated = false;
  /** The server that was left last, as `host:port`. */
  #left: string | undefined;
  /**
   * The latest event at the last look at the stream, or the first one that it has acknowledged since, with the time of the process. Events
   * after it say nothing: they may have come after a purge.
   */
  #last: { readonly sequence: number; readonly at: number } | undefined;
  #hasLost = false;
  /** The number of the last event that was lost; 0 without one. */
  #lostUpTo = 0;

  constructor(options: NatsBusOptions) {
    this.#options = options;
    this.maxAgeMillis = BigInt(options.config.stream.maxAgeMs);
    this.#running = this.#run();
  }

  async publish({ subject, id, payload, trace }: BusEvent): Promise<void> {
    const connection = this.#live();
    this.#jetStream ??= connection.jetstream({ timeout: CALL_TIMEOUT_MS });
    const expect = { streamName: this.#options.stream.name };
    const jetStream = this.#jetStream;
    const send = (msgID: string) => jetStream.publish(subject, payload, { msgID, expect, headers: headersOf(trace) });
    let answer = await send(id);
    // The stream remembers the IDs of events that were purged from it.
    if (answer.duplicate && answer.seq <= this.#lostUpTo) answer = await send(`${id} after ${this.#lostUpTo}`);
    if (!answer.duplicate) this.#last ??= { sequence: answer.seq, at: performance.now() };
  }

  async storeId(): Promise<string> {
    return (await this.findStore()) ?? idOf(await this.#addStream(await this.#managed()));
  }

  async findStore(): Promise<string | undefined> {
    const manager = await this.#managed();
    const info = await findStream(manager, this.#options.stream.name);
    if (info !== undefined && !this.#hasUpdated) await this.#updateStream(manager, info);
    if (info !== undefined) this.#noteLoss(info);
    return info && idOf(info);
  }

  takeLoss(): boolean {
    const hasLost = this.#hasLost;
    this.#hasLost = false;
    return hasLost;
  }

  /** Notes a stream that has neither run full nor kept an event for its time, and yet hasn't it: somebody has purged it. */
  #noteLoss({ state, config: { max_bytes, max_age } }: StreamInfo): void {
    const ageMs = Date.now() - Date.parse(state.last_ts);
    const present = { sequence: state.last_seq, at: performance.now() - ageMs };
    const last = this.#last ?? present;
    // An event of another stream, which had the same name, says nothing.
    if (last.sequence !== state.last_seq) this.#last = present;
    const isGone = last.sequence > 0 && last.sequence <= state.last_seq && state.first_seq > last.sequence;
    const isYoung = performance.now() - last.at < max_age / NANOS_PER_MS;
    const isFull = max_bytes > 0 && state.bytes > max_bytes / 2;
    if (!isGone || !isYoung || isFull) return;
    this.#last = { sequence: state.last_seq, at: -Infinity };
    this.#lostUpTo = state.first_seq - 1;
    this.#hasLost = true;
    this.#options.logger.warn({ stream: this.#options.stream.name }, "the stream has lost events: it was purged");
  }

  async #managed(): Promise<JetStreamManager> {
    const connection = this.#live();
    this.#manager ??= await connection.jetstreamManager({ timeout: CALL_TIMEOUT_MS, checkAPI: false });
    return this.#manager;
  }

  listen(subject: string, listener: BusListener): () => void {
    const listening: Listening = { subject, listener };
    this.#listening.add(listening);
    if (this.#connection !== undefined) this.#subscribe(this.#connection, listening);
    return () => {
      this.#listening.delete(listening);
      listening.subscription?.unsubscribe();
    };
  }

  signal(subject: string, payload?: Uint8Array): void {
    if (this.#connected) this.#connection?.publish(subject, payload);
  }

  isConnected(): boolean {
    return this.#connected;
  }

  reconnect(): void {
    if (this.#connection === undefined || !this.#connected) return;
    this.#left = this.#connection.getServer();
    this.#options.logger.warn({ server: this.#left }, "this process leaves a server of NATS for another one");
    this.#setConnected(false);
    // Made anew: the client forgets servers that it couldn't reach at first, and those that a cut-off one doesn't know.
    this.#connection.close().catch((error: unknown) => {
      this.#options.logger.warn({ err: error }, "the connection to NATS can't be closed");
    });
  }

  async close(deadline: AbortSignal): Promise<void> {
    this.#closing.abort();
    const connection = this.#connection;
    const cut = () => void connection?.close();
    deadline.addEventListener("abort", cut, { once: true });
    if (this.#connected) await connection?.drain();
    else await connection?.close();
    await this.#running;
    deadline.removeEventListener("abort", cut);
  }

  #live(): NatsConnection {
    if (this.#connection === undefined || !this.#connected) throw new Error("NATS isn't connected");
    return this.#connection;
  }

  /** Keeps a connection until the bus is closed, also after the client has given one up. */
  async #run(): Promise<void> {
    const { signal } = this.#closing;
    for (let failing = false; !signal.aborted; ) {
      try {
        await this.#useConnection(await connect({ ...connectionOptions(this.#options), ...this.#order() }));
        failing = false;
      } catch (error) {
        if (!failing) this.#options.logger.warn({ err: error }, "NATS can't be reached");
        failing = true;
      }
      await delay(RECONNECT_WAIT_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** The order in which servers are tried: by chance, or the one that was left comes last. */
  #order(): ConnectionOptions {
    const left = this.#left;
    if (left === undefined) return {};
    const others = this.#options.config.servers.filter((server) => server !== left);
    return { servers: [...others, left], noRandomize: true };
  }

  async #useConnection(connection: NatsConnection): Promise<void> {
    if (this.#closing.signal.aborted) return connection.close();
    this.#connection = connection;
    for (const listening of this.#listening) this.#subscribe(connection, listening);
    this.#setConnected(true);
    void this.#followStatus(connection);
    await connection.closed();
    this.#setConnected(false);
    this.#connection = undefined;
    this.#manager = undefined;
    this.#jetStream = undefined;
  }

  async #followStatus(connection: NatsConnection): Promise<void> {
    const refusals = new Set<string>();
    for await (const status of connection.status()) {
      if (status.type === Events.Disconnect) this.#setConnected(false);
      if (status.type === Events.Error) this.#noteRefusal(status, refusals);
      if (status.type !== Events.Reconnect) continue;
      refusals.clear();
      this.#subscribeAgain(connection);
      this.#setConnected(true);
    }
  }

  /** Notes a missing permission, or credentials that are no longer valid. */
  #noteRefusal({ data, permissionContext }: Status, refusals: Set<string>): void {
    const { operation, subject } = permissionContext ?? {};
    const refusal = `${data} ${operation} ${subject}`;
    if (refusals.has(refusal) || refusals.size >= MAX_REFUSALS) return;
    refusals.add(refusal);
    this.#options.logger.error({ reason: data, operation, subject }, "NATS refused an operation of this process");
  }

  /** Makes subscriptions again that the server has refused: they may be allowed by now. */
  #subscribeAgain(connection: NatsConnection): void {
    for (const listening of this.#listening) {
      if (listening.subscription?.isClosed() !== false) this.#subscribe(connection, listening);
    }
  }

  #setConnected(connected: boolean): void {
    if (connected === this.#connected) return;
    this.#connected = connected;
    this.#options.logger.info({ connected }, connected ? "NATS is connected" : "NATS is disconnected");
    if (connected) for (const { listener } of this.#listening) listener.gap();
  }

  #subscribe(connection: NatsConnection, listening: Listening): void {
    listening.subscription = connection.subscribe(listening.subject, {
      callback: (error, message) => {
        // Refusals come with the connection's status.
        if (error === null) {
          // Accessing the headers parses them.
          const trace = isTracing() ? parseTraceParent(message.headers?.get(TRACE_HEADER)) : undefined;
          listening.listener.event({ subject: message.subject, payload: message.data, trace });
        }
      },
    });
  }

  async #addStream(manager: JetStreamManager): Promise<StreamInfo> {
    const { config, stream } = this.#options;
    const info = await manager.streams.add({
      name: stream.name,
      subjects: [...stream.subjects],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
      ...limits(config.stream),
    });
    this.#options.logger.info({ stream: info.config.name }, "the stream of events was created");
    return info;
  }

  /** Updates the limits once: processes with different configurations must not undo each other's for ever. */
  async #updateStream(manager: JetStreamManager, { config }: StreamInfo): Promise<void> {
    const configured = limits(this.#options.config.stream);
    this.#hasUpdated = true;
    const isSame = Object.entries(configured).every(([name, value]) => Reflect.get(config, name) === value);
    if (isSame) return;
    await manager.streams.update(config.name, { ...config, ...configured }).catch((error: unknown) => {
      this.#options.logger.error({ err: error }, "the stream's limits can't be changed");
    });
  }
}

function idOf({ created }: StreamInfo): string {
  return `nats ${created}`;
}

function headersOf(trace: TraceContext | undefined): MsgHdrs {
  const all = headers();
  if (trace !== undefined) all.set(TRACE_HEADER, formatTraceParent(trace));
  return all;
}

function limits({ maxBytes, maxAgeMs, replicas }: StreamConfig) {
  return { max_bytes: maxBytes, max_age: nanos(maxAgeMs), num_replicas: replicas };
}
