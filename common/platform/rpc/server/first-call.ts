import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { createContextKey } from "@connectrpc/connect";

/** Notes that a call was allowed on its connection. */
export type AllowConnection = () => void;

/** Set in a call's context while no call on its connection was allowed before. */
export const ALLOW_CONNECTION = createContextKey<AllowConnection | undefined>(undefined);

/** Connections that still have to show that they are a caller's: a socket of HTTP/1.1, or a session of HTTP/2. */
const unproven = new WeakMap<object, AllowConnection>();

/**
 * Closes a connection on which no call is allowed within a time, so that strangers don't hold the places of callers. The health
 * service, which is open to everyone, doesn't count.
 */
export function expectFirstCall(connection: Socket | ServerHttp2Session, timeoutMs: number): void {
  const timer = setTimeout(() => connection.destroy(), timeoutMs);
  const stop = (): void => {
    clearTimeout(timer);
    unproven.delete(connection);
  };
  unproven.set(connection, stop);
  connection.once("close", stop);
}

/** Stops waiting for a call on a connection, as another object stands for it from now on. */
export function dropFirstCall(connection: Socket): void {
  unproven.get(connection)?.();
}

/** Returns the function to call once the request was allowed; undefined where one of its connection was before. */
export function allowConnectionOf(request: IncomingMessage | Http2ServerRequest): AllowConnection | undefined {
  return unproven.get(("stream" in request ? request.stream.session : request.socket) ?? request);
}
