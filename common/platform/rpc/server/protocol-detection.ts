import type { Socket } from "node:net";

export type HttpVersion = "1.1" | "2";

/** The first bytes of every HTTP/2 connection (RFC 9113 section 3.4). No HTTP/1.1 method begins like this. */
const HTTP2_PREFACE = Buffer.from("PRI ");

/**
 * Detects the HTTP version of a connection by its first bytes, which it puts back before it calls `onDetected`. A
 * connection that fails, ends or sends too little in time is destroyed, without a call.
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
    // Not before `release`: bytes that are put back cause another `readable` event.
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
