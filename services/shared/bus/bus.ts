import type { TraceContext } from "../tracing/trace-context.ts";

/** Something that happened, in the form in which a bus keeps it. */
export interface BusEvent {
  /** Tokens separated by dots. */
  readonly subject: string;
  /** The same whenever the same event is published again, by which a bus can tell the repeat. */
  readonly id: string;
  readonly payload: Uint8Array;
  /** What it is part of, where that is traced. */
  readonly trace?: TraceContext | undefined;
}

/** Both are called one at a time and must not wait: what takes longer belongs into a queue with a bound. */
export interface BusListener {
  /** Events that one process publishes one after another come in that order. The same one may come again. */
  event(event: Omit<BusEvent, "id">): void;
  /** Events may have been missed up to now: find out in another way what has changed. */
  gap(): void;
}

/** What keeps events for consumers, and tells them to listeners. */
export interface Bus {
  /**
   * Keeps an event. Where this fails it may have been kept nevertheless: publish it again, with the same ID.
   *
   * @throws Error where it isn't known to be kept, after 2 seconds at most
   */
  publish(event: BusEvent): Promise<void>;
  /**
   * Makes the store of events where there is none. Another answer than before says that it is a new one, without the
   * events that were published earlier.
   *
   * @param beforeMaking called before one is made: what is published afterwards may be its first event
   * @throws Error where the store can't be reached
   */
  storeId(beforeMaking?: () => void): Promise<string>;
  /** How long the store keeps events, in milliseconds; 0: not at all. */
  readonly maxAgeMillis: bigint;
  /**
   * Listens from now on. An event is told at once and not kept for the listener, so that silence proves nothing.
   *
   * @param subject `*` stands for any one token, `>` at the end for any number of them
   * @returns what ends it
   */
  listen(subject: string, listener: BusListener): () => void;
  /** Wakes the other processes that listen to a subject outside of the store. It may get lost. */
  signal(subject: string): void;
  isConnected(): boolean;
  /** Waits for what is under way, until the deadline. */
  close(deadline: AbortSignal): Promise<void>;
}
