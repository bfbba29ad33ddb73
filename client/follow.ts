import { type CommitmentData, type Difference, type FeedState, isOlder, withDifference } from "./commitment-data.ts";
import { Deadline, wait } from "./deadline.ts";
import { EventParser, type StreamEvent } from "./event-stream.ts";
import { isHidden, onHidden, shown } from "./page-visibility.ts";
import { type CallOptions, readJson, type Server, send, urlOf } from "./request.ts";
import type { SaleFacts } from "./sale.ts";
import { errorOf, TidemarkError } from "./tidemark-error.ts";

const RECONNECT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;
/** Silence after which a connection counts as lost. The server sends a heartbeat every 10 seconds. */
const SILENCE_MS = 30_000;
const POLL_MS = 2_000;
/** How long to poll before another try to open a stream. */
const POLLING_MS = 60_000;
/** Codes of errors that another try wouldn't change. */
const FINAL_CODES = ["invalid_argument", "not_found"];

/** Figures with the ID of their state, by which a stream goes on after them. */
export interface Snapshot {
  readonly data: CommitmentData;
  readonly id: string;
}

/**
 * How figures arrive: by stream; by polling, where no stream gets through; not at all at the moment; not while the page is
 * hidden.
 */
export type Connection = "stream" | "polling" | "lost" | "paused";

/** The callbacks and settings of `follow`. An error that a callback throws ends `follow`, which throws it. */
export interface FollowOptions extends CallOptions {
  /** Called with the first figures and after each change, never with an older state than before. */
  readonly onData: (snapshot: Snapshot) => void;
  /** Called when a stream says how current the figures are: at once, and then every 10 seconds. */
  readonly onState?: (state: FeedState) => void;
  /** Called when a stream says what the sale is: at once, and again when something of it has changed. Not called by polling. */
  readonly onSale?: (sale: SaleFacts) => void;
  /** Called when the way in which figures arrive has changed. */
  readonly onConnection?: (connection: Connection) => void;
  /** The last snapshot of an earlier `follow`, to go on after it. */
  readonly after?: Snapshot;
  /**
   * Whether a page goes on while it is hidden, `false` by default. Over HTTP/1.1 a browser opens six connections to a host, for all
   * pages together, and each stream takes one.
   */
  readonly whileHidden?: boolean;
  /** Time between two polls, in milliseconds; 2,000 by default. */
  readonly pollMs?: number;
  /** Time before a stream is opened again, in milliseconds; 2,000 by default. Each wait is half to one and a half times that. */
  readonly reconnectMs?: number;
}

/**
 * Follows a sale's figures by its stream; polls while no stream gets through. Ends only by its signal.
 *
 * @throws TidemarkError `not_found` or `invalid_argument` for a sale that isn't public, or isn't any more; what a callback throws
 */
export async function follow(server: Server, saleUuid: string, options: FollowOptions): Promise<void> {
  try {
    await new Follower(server, saleUuid, options).run();
  } catch (error) {
    if (options.signal?.aborted !== true || error !== options.signal.reason) throw error;
  }
}

/** An event with its data read. */
interface ParsedEvent extends Pick<StreamEvent, "event" | "id"> {
  readonly data: unknown;
}

class Follower {
  readonly #server: Server;
  readonly #url: string;
  readonly #options: FollowOptions;
  #snapshot: Snapshot | undefined;
  /** Whether the next stream begins with whole figures, as a difference fitted no longer to those here. */
  #needsBody = false;
  #connection: Connection | undefined;
  /** Tag of the last polled answer. */
  #tag = "";

  constructor(server: Server, saleUuid: string, options: FollowOptions) {
    this.#server = server;
    this.#url = urlOf(server, `public/sales/${encodeURIComponent(saleUuid)}/commitment-data`);
    this.#options = options;
    this.#snapshot = options.after;
  }

  async run(): Promise<never> {
    for (;;) {
      await this.#pause();
      const end = await this.#stream();
      // After a stream without any event, something between here and the server lets none through.
      if (end === "lost") await this.#wait(this.#options.reconnectMs ?? RECONNECT_MS);
      if (end === "silent") await this.#poll();
    }
  }

  /** Waits while the page is hidden. */
  async #pause(): Promise<void> {
    if (!this.#rests) return;
    this.#become("paused");
    await shown(this.#options.signal);
  }

  /** Whether the page is hidden, and is not to be followed then. */
  get #rests(): boolean {
    return this.#options.whileHidden !== true && isHidden();
  }

  /** Reads a stream to its end. @returns how it ended: lost after events, or without any, or as the page was hidden */
  async #stream(): Promise<"lost" | "silent" | "hidden"> {
    const { signal } = this.#options;
    const connection = new Deadline(signal);
    let [hasEvents, wasHidden] = [false, false];
    const seen = onHidden(() => {
      wasHidden = this.#rests;
      if (wasHidden) connection.end();
    });
    try {
      for await (const event of this.#events(connection)) {
        signal?.throwIfAborted();
        hasEvents = true;
        this.#become("stream");
        if (!this.#take(event)) break;
      }
    } finally {
      seen();
      connection.end();
    }
    signal?.throwIfAborted();
    if (wasHidden) return "hidden";
    if (hasEvents) this.#become("lost");
    return hasEvents ? "lost" : "silent";
  }

  /** Yields the events of one connection, until it breaks, is silent, or sends what isn't an event. */
  async *#events(connection: Deadline): AsyncGenerator<ParsedEvent> {
    connection.extend(SILENCE_MS);
    const reader = await this.#open(connection.signal);
    const parser = new EventParser();
    for (;;) {
      const chunk = await reader?.read().catch(() => undefined);
      if (chunk?.value === undefined) return;
      connection.extend(SILENCE_MS);
      for (const event of parser.push(chunk.value)) {
        const parsed = parsedEvent(event);
        if (parsed === undefined) return;
        yield parsed;
      }
    }
  }

  /** Opens a stream; undefined where there is none now. @throws TidemarkError where there will never be one */
  async #open(signal: AbortSignal): Promise<ReadableStreamDefaultReader<Uint8Array> | undefined> {
    const after = this.#needsBody ? "" : this.#snapshot?.id;
    const headers = { accept: "text/event-stream", ...(after && { "last-event-id": after }) };
    const init: RequestInit = { headers, signal, cache: "no-store" };
    const response = await send(`${this.#url}/stream`, init, this.#server).catch(() => undefined);
    if (response?.ok === false) throwIfFinal(await errorOf(response));
    const isStream = response?.headers.get("content-type")?.startsWith("text/event-stream");
    return response?.ok && isStream ? response.body?.getReader() : undefined;
  }

  /** Takes an event. @returns false where the stream can't be right */
  #take({ event, id, data }: ParsedEvent): boolean {
    if (event === "body") return this.#show({ data: data as CommitmentData, id });
    if (event === "difference") {
      const [before, difference] = [this.#snapshot, data as Difference];
      this.#needsBody = before?.id !== difference.AppliesTo;
      if (before === undefined || this.#needsBody) return false;
      return this.#show({ data: withDifference(before.data, difference), id });
    }
    if (event === "sale") this.#options.onSale?.(data as SaleFacts);
    if (event === "state" || event === "heartbeat") this.#options.onState?.(data as FeedState);
    return true;
  }

  /** Shows figures, unless they are older than the last: a server may begin with an older state. @returns whether they aren't */
  #show(snapshot: Snapshot): boolean {
    if (this.#snapshot !== undefined && isOlder(snapshot.id, this.#snapshot.id)) return false;
    this.#snapshot = snapshot;
    this.#needsBody = false;
    this.#options.onData(snapshot);
    return true;
  }

  /** Polls for a while, slower after failures, and not while the page is hidden. */
  async #poll(): Promise<void> {
    const { pollMs = POLL_MS } = this.#options;
    let pause = pollMs;
    for (let waited = 0; waited < POLLING_MS && !this.#rests; waited += pause) {
      const failure = await this.#pollOnce();
      this.#become(failure === undefined ? "polling" : "lost");
      const asked = 1_000 * (failure?.retryAfterSeconds ?? 0);
      pause = failure === undefined ? pollMs : Math.min(Math.max(2 * pause, asked), LONGEST_WAIT_MS);
      await this.#wait(pause);
    }
  }

  /** Asks once for the figures, and shows them if they have changed. @returns the reason where there was no answer */
  async #pollOnce(): Promise<TidemarkError | undefined> {
    const deadline = new Deadline(this.#options.signal);
    deadline.extend(SILENCE_MS);
    let snapshot: Snapshot | undefined;
    try {
      snapshot = await this.#read(deadline.signal);
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      return throwIfFinal(error);
    } finally {
      deadline.end();
    }
    this.#options.signal?.throwIfAborted();
    if (snapshot !== undefined) this.#show(snapshot);
    return undefined;
  }

  /** Returns the figures; undefined while they are the last ones. */
  async #read(signal: AbortSignal): Promise<Snapshot | undefined> {
    const headers = this.#tag === "" ? undefined : { "if-none-match": this.#tag };
    const response = await send(this.#url, { ...(headers && { headers }), signal }, this.#server);
    if (response.status === 304) return undefined;
    if (!response.ok) throw await errorOf(response);
    const data = await readJson<CommitmentData>(response);
    this.#tag = response.headers.get("etag") ?? "";
    // The tag contains the ID of the event that brings the same state.
    const id = this.#tag.replaceAll(/^W\/|"/g, "");
    return id !== "" && id === this.#snapshot?.id ? undefined : { data, id };
  }

  #become(connection: Connection): void {
    if (this.#connection === connection) return;
    this.#connection = connection;
    this.#options.onConnection?.(connection);
  }

  /** Waits half to one and a half times as long: readers who were all cut off at once come back at different times. */
  #wait(milliseconds: number): Promise<void> {
    return wait(milliseconds * (0.5 + Math.random()), this.#options.signal);
  }
}

function parsedEvent({ event, id, data }: StreamEvent): ParsedEvent | undefined {
  try {
    return { event, id, data: JSON.parse(data) };
  } catch {
    return undefined;
  }
}

/** Returns an error after which another try makes sense. @throws TidemarkError any other */
function throwIfFinal(error: unknown): TidemarkError {
  if (!(error instanceof TidemarkError))
    return new TidemarkError("unreachable", "The answer broke off.", { cause: error });
  if (FINAL_CODES.includes(error.code)) throw error;
  return error;
}
