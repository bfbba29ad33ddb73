import type { Buffer } from "node:buffer";
import type { Readable } from "node:stream";
import { BodyBuffer } from "./body-buffer.ts";

/**
 * Collects a request's body and calls `done` once: with the body, or with undefined as soon as `BodyBuffer` refuses it, as larger than
 * `maxBytes` or cut into too many chunks. The caller then deals with the rest of it. `done` isn't called for a body that breaks off.
 */
export function receiveBody(request: Readable, maxBytes: number, done: (body: Buffer | undefined) => void): void {
  const buffer = new BodyBuffer(maxBytes);
  const onData = (chunk: Buffer): void => {
    if (buffer.add(chunk)) return;
    request.off("data", onData).off("end", onEnd);
    done(undefined);
  };
  const onEnd = (): void => done(buffer.bytes);
  // Not by iteration, which joins the chunks that have arrived, and so doesn't show how many there are.
  request.on("data", onData).on("end", onEnd);
}
