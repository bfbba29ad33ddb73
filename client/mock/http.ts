import type { ServerResponse } from "node:http";
import type { Answer } from "./answer.ts";
import { escaped } from "./control.ts";
import type { StreamTarget } from "./live-stream.ts";

/** Any page may call, and read everything. */
const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, HEAD, POST, DELETE, OPTIONS",
  "Access-Control-Allow-Headers": "*, Authorization",
  "Access-Control-Expose-Headers": "ETag, Age, Date, Retry-After, WWW-Authenticate, Tidemark-Changed-Block",
  "Access-Control-Max-Age": "600",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

/** Sends an answer. @param origins the one that examples name, and the one to write instead */
export function writeAnswer(
  response: ServerResponse,
  { status, headers, body }: Answer,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  const isJson = typeof body !== "string";
  const text = isJson ? JSON.stringify(body).replaceAll(from, to) : "Content-Type" in headers ? body : pageOf(body);
  const type = isJson ? "application/json" : "text/html; charset=utf-8";
  response.writeHead(status, { ...CORS, ...(text !== "" && { "Content-Type": type }), ...headers });
  response.end(text);
}

/** Returns a page for a browser; a text that isn't one yet is put into one. */
function pageOf(body: string): string {
  if (body === "" || body.startsWith("<!doctype")) return body;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tidemark mock</title><p>${escaped(body)}</p></html>`;
}

/** Begins a stream of events. */
export function openStream(response: ServerResponse): StreamTarget {
  response.writeHead(200, { ...CORS, "Content-Type": "text/event-stream" });
  return { write: (text) => void response.write(text), end: () => void response.end() };
}

/** Waits, at most as long as somebody waits for the answer. */
export function waitFor(milliseconds: number, response: ServerResponse): Promise<void> {
  if (milliseconds === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    response.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
