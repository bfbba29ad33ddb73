import type { Server, Socket } from "node:net";

/** Shortest interval between two looks at the connections. */
const MIN_INTERVAL_MS = 50;
/** Looks in a timeout: an answer may be cut this share of the timeout late. */
const LOOKS_A_TIMEOUT = 4;

/**
 * A client is believed to read as long as it takes this much in a timeout: 20 KB/s with 20 s. How much it has read is seen in steps only:
 * an operating system takes more of an answer once a third of its buffer is free.
 */
const BYTES_A_TIMEOUT = 400_000;
/** Largest step that is waited for. Linux has buffers of at most 4 MiB, unless it is told otherwise. */
const MAX_STEP_BYTES = 2_000_000;

/** Figures of a socket's handle about its writes. `node:net` reads them too, but they aren't documented. */
interface WriteQueue {
  /** Bytes given to the handle. */
  readonly bytesWritten: number;
  /** Those of them that the operating system hasn't taken yet. */
  readonly writeQueueSize: number;
}

interface CutOptions {
  readonly onCut?: () => void;
  readonly close?: (socket: Socket) => void;
}

interface Progress {
  readonly takenBytes: number;
  /** Bytes that were taken last, at once. */
  readonly stepBytes: number;
  /** When `takenBytes` was seen first. */
  readonly sinceMs: number;
}

/**
 * Finds connections whose peer takes nothing of what waits for it. Progress counts, so that a slow reader keeps its connection: where the
 * operating system took much at once, the next step is waited for longer, as it is one of 1.5 MB at 20 KB/s every 76 s. A socket's own timeout wouldn't do: it begins anew with each byte that the peer sends. On Deno, whose sockets don't
 * say how much of a write was taken, it finds none.
 */
export class UnreadAnswers<Connection extends object = Socket> {
  readonly #timeoutMs: number;
  #waiting = new Map<Connection, Progress>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Returns the connections of which nothing was taken for the timeout, or for several after a large step. To be called again and again.
   *
   * @param nowMs of a monotonic clock
   */
  stalled(connections: Iterable<Connection>, nowMs: number): readonly Connection[] {
    const waiting = new Map<Connection, Progress>();
    const stalled: Connection[] = [];
    for (const connection of connections) {
      const takenBytes = takenWhileWaiting(connection);
      if (takenBytes === undefined) continue;
      const before = this.#waiting.get(connection);
      const stepBytes = takenBytes - (before?.takenBytes ?? 0);
      const progress = stepBytes === 0 && before !== undefined ? before : { takenBytes, stepBytes, sinceMs: nowMs };
      if (nowMs - progress.sinceMs >= this.#timeoutMs * timeoutsFor(progress)) stalled.push(connection);
      else waiting.set(connection, progress);
    }
    this.#waiting = waiting;
    return stalled;
  }
}

/**
 * Cuts the connections of a server whose clients take nothing of an answer for a time. The server's own `timeout` no longer closes a
 * connection whose client reads slowly: to it nothing moves between two steps.
 *
 * @param options.onCut called for each of them
 * @param options.close closes a connection on which nothing has moved for the server's own `timeout`
 */
export function cutUnreadAnswers(
  server: Server,
  timeoutMs: number,
  { onCut = () => {}, close = (socket) => socket.destroy() }: CutOptions = {},
): void {
  const sockets = new Set<Socket>();
  const unread = new UnreadAnswers(timeoutMs);
  let timer: NodeJS.Timeout | undefined;
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    timer ??= setInterval(look, Math.max(MIN_INTERVAL_MS, timeoutMs / LOOKS_A_TIMEOUT)).unref();
    // `once` would keep a wrapper for each open stream.
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("timeout", (socket: Socket) => {
    if (takenWhileWaiting(socket) === undefined) close(socket);
  });
  const look = (): void => {
    for (const socket of unread.stalled(sockets, performance.now())) {
      onCut();
      // Without a reset the operating system would keep its part of the answer for minutes.
      socket.resetAndDestroy();
    }
    if (sockets.size > 0) return;
    // While nobody is connected the process isn't woken for it.
    clearInterval(timer);
    timer = undefined;
  };
  server.on("close", () => clearInterval(timer));
}

/** Returns the timeouts in which a reader at the slowest speed takes as much again. */
function timeoutsFor({ stepBytes }: Progress): number {
  return 1 + Math.floor(Math.min(stepBytes, MAX_STEP_BYTES) / BYTES_A_TIMEOUT);
}

/** Returns the bytes that the operating system has taken; undefined where nothing waits, or the runtime doesn't say. */
function takenWhileWaiting(connection: object): number | undefined {
  const { bytesWritten, writeQueueSize } = Object((connection as { _handle?: unknown })._handle) as Partial<WriteQueue>;
  if (writeQueueSize === undefined || bytesWritten === undefined || writeQueueSize === 0) return undefined;
  return bytesWritten - writeQueueSize;
}
