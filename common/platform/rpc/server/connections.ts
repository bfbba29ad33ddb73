import { constants, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import { dropFirstCall, expectFirstCall } from "./first-call.ts";

/** The open connections of a server. Idle ones can be closed at once, the others after their last answer. */
export class Connections {
  /** Requests in flight by socket, for HTTP/1.1 and for connections whose protocol isn't known yet. */
  readonly #sockets = new Map<Socket, number>();
  /** HTTP/2 sessions, which count their requests themselves. */
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #streams = new Set<ServerHttp2Stream>();
  readonly #firstCallTimeoutMs: number;
  #ending = false;
  #draining = false;

  /** @param firstCallTimeoutMs see `ConnectionLimits` */
  constructor(firstCallTimeoutMs: number) {
    this.#firstCallTimeoutMs = firstCallTimeoutMs;
  }

  /** The number of open connections of any protocol. */
  get size(): number {
    return this.#sockets.size + this.#sessions.size;
  }

  /** Whether each answer is the last on its connection. */
  get ending(): boolean {
    return this.#ending;
  }

  get draining(): boolean {
    return this.#draining;
  }

  addSocket(socket: Socket): void {
    this.#sockets.set(socket, 0);
    socket.once("close", () => this.#sockets.delete(socket));
    expectFirstCall(socket, this.#firstCallTimeoutMs);
  }

  /** Forgets a socket that belongs to an HTTP/2 session from now on. */
  releaseSocket(socket: Socket): void {
    this.#sockets.delete(socket);
    dropFirstCall(socket);
  }

  addSession(session: ServerHttp2Session): void {
    this.#sessions.add(session);
    session.once("close", () => this.#sessions.delete(session));
    expectFirstCall(session, this.#firstCallTimeoutMs);
    session.on("stream", (stream) => {
      this.#streams.add(stream);
      stream.once("close", () => this.#streams.delete(stream));
    });
    if (this.#draining) session.close();
  }

  beginRequest(socket: Socket): void {
    this.#count(socket, 1);
  }

  endRequest(socket: Socket): void {
    if (this.#count(socket, -1) === 0 && this.#draining) socket.destroySoon();
  }

  announceEnd(): void {
    this.#ending = true;
  }

  /** Closes idle connections now, and the others after their last answer. */
  drain(): void {
    this.#ending = true;
    this.#draining = true;
    for (const [socket, requests] of this.#sockets) if (requests === 0) socket.destroySoon();
    for (const session of this.#sessions) session.close();
  }

  /** Closes all connections at once, also those with requests in flight. */
  destroy(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
    // Deno destroys a session without resetting its streams: clients would wait for answers for ever.
    for (const stream of this.#streams) stream.close(constants.NGHTTP2_CANCEL);
    for (const session of this.#sessions) session.destroy();
  }

  #count(socket: Socket, change: 1 | -1): number | undefined {
    const requests = this.#sockets.get(socket);
    if (requests === undefined) return undefined;
    this.#sockets.set(socket, requests + change);
    return requests + change;
  }
}
