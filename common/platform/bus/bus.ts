import type { TraceContext } from "../tracing/trace-context.ts";

/** An event, as a bus stores it. */
export interface BusEvent {
  /** Tokens separated by dots. */
  readonly subject: string;
  /** Identifies the event when it is published again, so that a bus can drop the repeat. */
  readonly id: string;
  readonly payload: Uint8Array;
  /** The trace that the event is part of, if any. */
  readonly trace?: TraceContext | undefined;
}

/** The callbacks of a listener. They are called one at a time and must not wait: longer work belongs in a bounded queue. */
export interface BusListener {
  /** Events of one process arrive in the order in which it publishes them. The same event may arrive again. */
  event(event: Omit<BusEvent, "id">): void;
  /** Events may have been missed up to now. The listener must find out in another way what has changed. */
  gap(): void;
}

/** The events that a bus stores. */
export interface EventStream {
  readonly name: string;
  /** Patterns of the subjects; see `Bus.listen`. */
  readonly subjects: readonly string[];
}

/** A bus that stores events for consumers and passes them on to listeners. */
export interface Bus {
  /** The messaging system, as spans name it. */
  readonly system: "nats" | "in_process";
  /**
   * Stores an event. If this fails the event may have been stored nevertheless: publish it again, with the same ID.
   *
   * @throws Error if no acknowledgement has come, after 2 seconds at most
   */
  publish(event: BusEvent): Promise<void>;
  /**
   * Returns the ID of the store of events, and creates the store if there is none. A different ID than before means a
   * new store, without the events that were published earlier.
   *
   * @throws Error if the store can't be reached
   */
  storeId(): Promise<string>;
  /** Returns the ID of the store of events; undefined if there is none. @throws Error if the store can't be reached */
  findStore(): Promise<string | undefined>;
  /** Whether the store was found without events that it should still have, as after a purge. False from the next call on. */
  takeLoss(): boolean;
  /** The time for which the store keeps events, in milliseconds. 0: it keeps none. */
  readonly maxAgeMillis: bigint;
  /**
   * Listens from now on. Events aren't stored for the listener: one that is lost doesn't come again, so silence doesn't
   * prove that nothing happened.
   *
   * @param subject `*` matches one token, `>` at the end one or more
   * @returns a function that ends it
   */
  listen(subject: string, listener: BusListener): () => void;
  /** Wakes the processes that listen to a subject outside of the store, this one included. The signal may get lost. */
  signal(subject: string, payload?: Uint8Array): void;
  isConnected(): boolean;
  /** Leaves the present server for another one, if there are several. */
  reconnect(): void;
  /** Waits for publishes that are in flight, until the deadline. */
  close(deadline: AbortSignal): Promise<void>;
}
