import { setTimeout as wait } from "node:timers/promises";
import { backoffMs } from "../../platform/concurrency/backoff.ts";

const BACKOFF = { firstMs: 1000, longestMs: 60_000 };

/**
 * Calls back at every new head that a node announces (`eth_subscribe`, `newHeads`), and reconnects if the connection is
 * lost. The announced head itself isn't used: it is only a reason to poll.
 */
export async function watchHeads(url: string, onHead: () => void, signal: AbortSignal): Promise<void> {
  let failures = 0;
  const onMessage = () => {
    failures = 0;
    onHead();
  };
  while (!signal.aborted) {
    await untilClosed(url, onMessage, signal);
    failures += 1;
    await wait(backoffMs(failures, BACKOFF), undefined, { signal }).catch(() => undefined);
  }
}

function untilClosed(url: string, onHead: () => void, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = new WebSocket(url);
  const leave = () => {
    socket.close();
    // The node may not answer the closing handshake.
    resolve();
  };
  socket.addEventListener("open", () => {
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] }));
  });
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string" && data.includes('"eth_subscription"')) onHead();
  });
  // An error is followed by the close event.
  socket.addEventListener("error", () => undefined);
  socket.addEventListener("close", () => {
    signal.removeEventListener("abort", leave);
    resolve();
  });
  signal.addEventListener("abort", leave, { once: true });
  return promise;
}
