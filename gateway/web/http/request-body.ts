import type { IncomingMessage } from "node:http";

const EMPTY = Buffer.alloc(0);

/**
 * Collects a request's body and calls `done` once: with the body, or with undefined as soon as the body is larger than
 * `maxBytes`. The caller then deals with the rest of it. `done` isn't called for a body that breaks off.
 */
export function receiveBody(
  request: IncomingMessage,
  maxBytes: number,
  done: (body: Buffer | undefined) => void,
): void {
  let first: Buffer = EMPTY;
  let rest: Buffer[] | undefined;
  let length = 0;
  const onData = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > maxBytes) {
      request.off("data", onData).off("end", onEnd);
      done(undefined);
    } else if (first.length === 0) first = chunk;
    else if (rest === undefined) rest = [chunk];
    else rest.push(chunk);
  };
  // Nearly every body comes in one chunk, which isn't copied.
  const onEnd = (): void => done(rest === undefined ? first : Buffer.concat([first, ...rest], length));
  request.on("data", onData).on("end", onEnd);
}
