import type { Server, Socket } from "node:net";

/** Shortest interval between two looks at the connections. */
const MIN_INTERVAL_MS = 50;
/** Looks in a timeout: an answer may be cut this share of the timeout late. */
const LOOKS_A_TIMEOUT = 4;

/** Figures of a socket's handle about its writes. `node:net` reads them too, but they aren't documented. */
interface WriteQueue {
  /** Bytes given to the handle. */
  readonly bytesWritten: number;
  /** Those of them that the operating system hasn't taken yet. */
  readonly writeQueueSize: number;
}

interface Progress {
  readonly takenBytes: number;
  /** When `takenBytes` was seen first. */
  readonly sinceMs: number;
}

/**
 * Finds connections whose peer takes nothing of what waits for it. Progress counts, not speed, so that a slow reader keeps its
 * connection. A socket's own timeout wouldn't do: it begins anew with each byte that the peer sends. On Deno, whose sockets don't
 * say how much of a write was taken, it finds none.
 */
export class UnreadAnswers<Connection extends object = Socket> {
  readonly #timeoutMs: number;
  #waiting = new Map<Connection, Progress>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Returns the connections of which nothing was taken for the timeout. To be called again and again.
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
      const progress = before?.takenBytes === takenBytes ? before : { takenBytes, sinceMs: nowMs };
      if (nowMs - progress.sinceMs >= this.#timeoutMs) stalled.push(connection);
      else waiting.set(connection, progress);
    }
    this.#waiting = waiting;
    return stalled;
  }
}

/**
 * Cuts the connections of a server whose clients take nothing of an answer for a time.
 *
 * @param onCut called for each of them
 */
export function cutUnreadAnswers(server: Server, timeoutMs: number, onCut: () => void = () => {}): void {
  const sockets = new Set<Socket>();
  const unread = new UnreadAnswers(timeoutMs);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    // `once` would keep a wrapper for each open stream.
    socket.on("close", () => sockets.delete(socket));
  });
  const look = (): void => {
    for (const socket of unread.stalled(sockets, performance.now())) {
      onCut();
      // Without a reset the operating system would keep its part of the answer for minutes.
      socket.resetAndDestroy();
    }
  };
  const timer = setInterval(look, Math.max(MIN_INTERVAL_MS, timeoutMs / LOOKS_A_TIMEOUT)).unref();
  server.on("close", () => clearInterval(timer));
}

/** Returns the bytes that the operating system has taken; undefined where nothing waits, or the runtime doesn't say. */
function takenWhileWaiting(connection: object): number | undefined {
  const { bytesWritten, writeQueueSize } = Object((connection as { _handle?: unknown })._handle) as Partial<WriteQueue>;
  if (writeQueueSize === undefined || bytesWritten === undefined || writeQueueSize === 0) return undefined;
  return bytesWritten - writeQueueSize;
}
