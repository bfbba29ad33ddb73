import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Requests that may wait on one connection. Only an attacker sends more without reading the answers. */
const MAX_DEFERRED = 100;

interface DeferredAnswers {
  latest: ServerResponse;
  count: number;
  isOverfull: boolean;
}

const connections = new WeakMap<Duplex, DeferredAnswers>();

/**
 * Marks an answer that isn't finished in the event-loop tick in which its request was read. Other answers on the
 * connection, such as a 400 to garbage that follows, wait for it, so answers keep the order of their requests. A
 * connection with too many marked answers is closed, and `hadTooManyWaiting`.
 */
export function deferAnswer(response: ServerResponse): void {
  const { socket } = response.req;
  const answers = connections.get(socket) ?? { latest: response, count: 0, isOverfull: false };
  if (answers.latest === response && answers.count > 0) return;
  answers.latest = response;
  answers.count++;
  connections.set(socket, answers);
  // `once` would keep a wrapper for each open stream.
  response.on("close", () => answers.count--);
  if (answers.count <= MAX_DEFERRED) return;
  answers.isOverfull = true;
  socket.destroy();
}

/** Whether a connection was closed because too many of its answers were marked at once. */
export function hadTooManyWaiting(socket: Duplex): boolean {
  return connections.get(socket)?.isOverfull === true;
}

/** Returns the answer marked last on a connection, unless it is finished. */
export function deferredAnswer(socket: Duplex): ServerResponse | undefined {
  const latest = connections.get(socket)?.latest;
  return latest?.writableFinished === false ? latest : undefined;
}
