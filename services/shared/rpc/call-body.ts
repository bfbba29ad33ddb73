import { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { NodeRequest } from "./node-handler.ts";

/** The body of a request, read as somebody asks for it. */
export class CallBody implements AsyncIterable<Uint8Array> {
  readonly #request: NodeRequest;

  constructor(request: NodeRequest) {
    this.#request = request;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    const request = this.#request;
    // Most bodies have come with the head of their request, and need no listeners.
    if (request instanceof IncomingMessage && request.complete && !request.destroyed) return new ReceivedBody(request);
    // By default a handler that stops reading early would destroy the connection, and the answer with it.
    const body: Readable = request;
    return body.iterator({ destroyOnReturn: false });
  }
}

/** A body that was received to its end. */
class ReceivedBody implements AsyncIterator<Uint8Array> {
  readonly #request: IncomingMessage;

  constructor(request: IncomingMessage) {
    this.#request = request;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const chunk: Buffer | null = this.#request.read();
    return chunk === null ? { done: true, value: undefined } : { done: false, value: chunk };
  }
}
