/** Time after which a reader reconnects, in milliseconds. */
const RETRY_MS = 2_000;
/** Steps in which readers reconnect after `RETRY_MS` when the process stops. */
const SPREAD_STEPS = 16;
const SPREAD_STEP_MS = 250;

/** Sets the time after which a reader reconnects when the connection breaks (HTML standard, section 9.2). */
export const RETRY_CHUNK = retryChunk(RETRY_MS);

const farewells = Array.from({ length: SPREAD_STEPS }, (_, step) => retryChunk(RETRY_MS + step * SPREAD_STEP_MS));

/**
 * Returns the last chunk of a stream that the server ends.
 *
 * @param index counts the readers, so that they reconnect in steps
 */
export function farewellChunk(index: number): Buffer {
  return farewells[index % SPREAD_STEPS] ?? RETRY_CHUNK;
}

/** Returns the bytes of an event. @param data one line */
export function eventChunk(event: "body" | "difference", id: string, data: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(`event: ${event}\nid: ${id}\ndata: `), Buffer.from(data), Buffer.from("\n\n")]);
}

/** The events that say how current a sale's figures are, and what the sale is. */
export type FeedEventName = "state" | "heartbeat" | "sale";

/** Returns the bytes of an event without ID: a reader who reconnects goes on after the last event that had one. */
export function uncompressedEventChunk(event: FeedEventName, data: string): Buffer {
  return Buffer.from(`event: ${event}\ndata: ${data}\n\n`);
}

function retryChunk(milliseconds: number): Buffer {
  return Buffer.from(`retry: ${milliseconds}\n\n`);
}
