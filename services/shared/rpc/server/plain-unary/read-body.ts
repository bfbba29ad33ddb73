import type { IncomingMessage } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";

/**
 * Reads the whole body of a request whose length is known; the HTTP parser holds it to that.
 *
 * @throws ConnectError `canceled` if the client goes before it has sent it
 */
export function readBody(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const body = new Uint8Array(Number(request.headers["content-length"]));
  let read = 0;
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const gone = () => reject(new ConnectError("the client has gone", Code.Canceled));
  request
    .on("data", (chunk: Uint8Array) => {
      body.set(chunk, read);
      read += chunk.byteLength;
    })
    .once("end", () => {
      request.off("close", gone);
      resolve(body);
    })
    .once("error", gone)
    .once("close", gone);
  return promise;
}
