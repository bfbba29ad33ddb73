import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { isPlainRequest } from "./plain-request.ts";

const PLAIN = { host: "a", "content-type": "application/proto", "content-length": "10" };

describe("a request", () => {
  const isPlain = (given: Partial<Pick<IncomingMessage, "method" | "httpVersion" | "headers">>) =>
    isPlainRequest({ method: "POST", httpVersion: "1.1", headers: PLAIN, ...given } as IncomingMessage, 10);

  it.each([
    ["a message in binary", {}],
    ["a message in chunks", { "content-length": undefined, "transfer-encoding": "chunked" }],
    ["nothing compressed", { "content-encoding": "identity", "accept-encoding": "identity" }],
    ["a time-out", { "connect-timeout-ms": "9999999999" }],
    ["a port", { host: "[::1]:65535" }],
  ])("is plain with %s", (_, headers) => {
    expect(isPlain({ headers: { ...PLAIN, ...headers } })).toBe(true);
  });

  it.each([
    ["no host", { host: undefined }],
    ["a host that is none", { host: "a b" }],
    ["a port that is none", { host: "a:65536" }],
    ["no body", { "content-length": undefined }],
    ["a length beyond the bound", { "content-length": "11" }],
    ["two lengths", { "content-length": "1, 1" }],
    ["a length and chunks", { "transfer-encoding": "chunked" }],
    ["another transfer encoding", { "content-length": undefined, "transfer-encoding": "gzip, chunked" }],
    ["two time-outs", { "connect-timeout-ms": "1, 1" }],
    ["a time-out of 11 digits", { "connect-timeout-ms": "10000000000" }],
    ["JSON", { "content-type": "application/json" }],
    ["a parameter", { "content-type": "application/proto; a=b" }],
    ["a compressed message", { "content-encoding": "gzip" }],
    ["a wish for compression", { "accept-encoding": "gzip" }],
  ])("isn't plain with %s", (_, headers) => {
    expect(isPlain({ headers: { ...PLAIN, ...headers } })).toBe(false);
  });

  it("is plain only as POST of HTTP/1.1", () => {
    expect([{ method: "GET" }, { httpVersion: "1.0" }, { httpVersion: "2.0" }].map(isPlain)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
