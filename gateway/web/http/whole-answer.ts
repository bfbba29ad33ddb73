import { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { deferredAnswer } from "./deferred-answer.ts";

/**
 * An answer that nobody takes for whole where it breaks off. One in chunks then lacks its end; to a client or proxy of HTTP/1.0 the
 * connection's end is the answer's, so that it is reset.
 */
export class WholeAnswer extends ServerResponse {
  override destroy(error?: Error): this {
    const isBegun = this.headersSent && !this.writableFinished;
    if (isBegun && this.req.httpVersion === "1.0") this.socket?.resetAndDestroy();
    return super.destroy(error);
  }
}

/** Closes a connection, with the answer that is being made on it. */
export function closeConnection(socket: Socket): void {
  deferredAnswer(socket)?.destroy();
  socket.destroy();
}
