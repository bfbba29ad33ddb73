import type { Buffer } from "node:buffer";
import { finished, type Readable } from "node:stream";
import { BodyBuffer } from "./body-buffer.ts";

/**
 * Collects a request's body and calls one of two functions, once: `done` with the body, or with undefined as soon as `BodyBuffer`
 * refuses it, as larger than `maxBytes` or cut into too many chunks. The caller then deals with the rest of it.
 *
 * @param brokenOff is called for a body that breaks off, also before anything of it was read; undefined only for a caller that waits
 *   for nothing and holds nothing until `done`
 */
export function receiveBody(
  request: Readable,
  maxBytes: number,
  done: (body: Buffer | undefined) => void,
  brokenOff: ((error: Error) => void) | undefined,
): void {
  const buffer = new BodyBuffer(maxBytes);
  let isSettled = false;
  const settle = (body: Buffer | undefined): void => {
    isSettled = true;
    done(body);
  };
  const onData = (chunk: Buffer): void => {
    if (buffer.add(chunk)) return;
    request.off("data", onData).off("end", onEnd);
    settle(undefined);
  };
  const onEnd = (): void => settle(buffer.bytes);
  // Not by iteration, which joins the chunks that have arrived, and so doesn't show how many there are.
  request.on("data", onData).on("end", onEnd);
  if (brokenOff === undefined) return;
  // Not by an event, as none comes for a client that was gone before.
  finished(request, { writable: false }, (error) => {
    if (error && !isSettled) brokenOff(error);
  });
}
