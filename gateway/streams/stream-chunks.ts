/** How long a reader waits before it connects again, in milliseconds. */
const RETRY_MS = 2_000;
/** At a stop readers come back spread over this time beyond `RETRY_MS`, in steps. */
const SPREAD_STEPS = 16;
const SPREAD_STEP_MS = 250;

/** Tells a reader when to come back, should the connection break (HTML standard, section 9.2). */
export const RETRY_CHUNK = retryChunk(RETRY_MS);

/** A comment, which keeps proxies and readers from taking the connection for dead. */
export const HEARTBEAT_CHUNK = Buffer.from(":\n\n");

const farewells = Array.from({ length: SPREAD_STEPS }, (_, step) => retryChunk(RETRY_MS + step * SPREAD_STEP_MS));

/** What a stream that we end says last. @param turn counts the readers, so that they don't all come back at once */
export function farewellChunk(turn: number): Buffer {
  return farewells[turn % SPREAD_STEPS] ?? RETRY_CHUNK;
}

/** An event as it is written. @param data one line */
export function eventChunk(event: "body" | "difference", id: string, data: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(`event: ${event}\nid: ${id}\ndata: `), Buffer.from(data), Buffer.from("\n\n")]);
}

function retryChunk(milliseconds: number): Buffer {
  return Buffer.from(`retry: ${milliseconds}\n\n`);
}
