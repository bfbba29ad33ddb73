import type { IncomingMessage } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import { clientGone } from "../client-gone.ts";

/**
 * Reads the whole body of a request into memory of its own, whether its length is known before or it comes in chunks.
 *
 * @throws ConnectError `canceled` if the client goes before it has sent it, also before this is called; `resource_exhausted`, in
 *   Connect's words, as soon as it exceeds `maxBytes`
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  // Its events have been.
  if (request.destroyed) return Promise.reject(clientGone());
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const onData = (chunk: Uint8Array) => {
    size += chunk.byteLength;
    if (size <= maxBytes) return void chunks.push(chunk);
    request.off("data", onData);
    chunks.length = 0;
    reject(tooLarge(maxBytes));
  };
  const onClose = () => reject(clientGone());
  request.on("data", onData).once("error", onClose).once("close", onClose);
  request.once("end", () => {
    // What comes after would make an error in vain for each call.
    request.off("close", onClose);
    resolve(joined(chunks, size));
  });
  return promise;
}

function tooLarge(maxBytes: number): ConnectError {
  return new ConnectError(`message size is larger than configured readMaxBytes ${maxBytes}`, Code.ResourceExhausted);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
