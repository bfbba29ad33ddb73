import type { NodeRequest } from "./universal-request.ts";

/** The longest time for which the rest of an unread body is read before the answer is sent. nginx lingers as long. */
const DISCARD_MS = 5_000;

/**
 * Reads the rest of a body. A client over HTTP/1.1 sends its whole body before it reads the answer: an answer that comes
 * before, with the end of the connection, would be lost.
 */
export function discardBody(request: NodeRequest): Promise<void> {
  if (request.complete) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, DISCARD_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    request.once("end", done).once("close", done).once("error", done).resume();
  });
}
