import type { Socket } from "node:net";

export type HttpVersion = "1.1" | "2";

/** The first bytes of every HTTP/2 connection (RFC 9113 section 3.4); no HTTP/1.1 method begins like this. */
const HTTP2_PREFACE = Buffer.from("PRI ");

/**
 * Finds out from its first bytes which HTTP version a connection speaks, and calls back with the bytes put back. A
 * connection that fails, ends or says too little within the time is destroyed and never reported.
 */
export function detectHttpVersion(socket: Socket, timeoutMs: number, onDetected: (version: HttpVersion) => void): void {
  const abandon = () => socket.destroy();
  const timer = setTimeout(abandon, timeoutMs);
  const release = () => {
    clearTimeout(timer);
    socket.off("readable", look).off("end", abandon).off("error", abandon).off("close", release);
  };
  let head = Buffer.alloc(0);
  const look = () => {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) return;
    head = Buffer.concat([head, chunk]);
    const version = versionOf(head);
    if (version === undefined) return;
    release();
    // Only now: bytes that are put back are announced as readable again.
    socket.unshift(head);
    onDetected(version);
  };
  socket.on("readable", look).on("end", abandon).on("error", abandon).on("close", release);
}

function versionOf(head: Buffer): HttpVersion | undefined {
  const compared = Math.min(head.length, HTTP2_PREFACE.length);
  if (!HTTP2_PREFACE.subarray(0, compared).equals(head.subarray(0, compared))) return "1.1";
  return compared === HTTP2_PREFACE.length ? "2" : undefined;
}
