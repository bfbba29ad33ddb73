import { Code, ConnectError, createClient, type StreamRequest, type UnaryRequest } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { CommitmentService } from "../../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SALE_UUID } from "../testing/test-server.ts";
import { createRpcTransport } from "./client.ts";
import { isNotConnected, notConnectedInterceptor } from "./not-connected.ts";

function attempt(code: string, address: string, syscall = "connect"): Error {
  return Object.assign(new Error(`${syscall} ${code} ${address}`), { code, syscall });
}

/** Node's error for a host with several addresses, which has the code of the first one and no message. */
function severalAddresses(...errors: Error[]): Error {
  return Object.assign(new AggregateError(errors, ""), { code: Object(errors[0]).code });
}

/** The outcome of a call for which the transport reports `cause`. */
async function outcome(cause: Error, code = Code.Unavailable): Promise<ConnectError> {
  const call = notConnectedInterceptor(() => {
    throw new ConnectError(cause.message, code, undefined, undefined, cause);
  });
  const failed = await call({ stream: false } as UnaryRequest | StreamRequest).catch((error: unknown) => error);
  return ConnectError.from(failed);
}

describe("a connection that can't be opened", () => {
  it.each<[string, Error, string]>([
    ["of one address", attempt("ECONNREFUSED", "10.0.0.1:80"), "connect ECONNREFUSED 10.0.0.1:80"],
    [
      "of each address",
      severalAddresses(attempt("ECONNREFUSED", "10.0.0.1:80"), attempt("ETIMEDOUT", "10.0.0.2:80")),
      "connect ECONNREFUSED 10.0.0.1:80, connect ETIMEDOUT 10.0.0.2:80",
    ],
    ["of its name", attempt("ENOTFOUND", "auth", "getaddrinfo"), "getaddrinfo ENOTFOUND auth"],
    ["without a message, by its code", Object.assign(new Error(), { code: "EHOSTUNREACH" }), "EHOSTUNREACH"],
  ])("is unavailable, for the reason %s", async (_, cause, reason) => {
    const { code, rawMessage } = await outcome(cause, Code.Internal);
    expect([code, rawMessage]).toEqual([Code.Unavailable, `the connection couldn't be opened: ${reason}`]);
  });

  it.each(["applyCommitments", "exportCommitments"] as const)(
    "is told apart in %s over a transport",
    async (method) => {
      const transport = createRpcTransport({ baseUrl: "http://127.0.0.1:1", defaultTimeoutMs: 60_000 });
      const client = createClient(CommitmentService, transport);
      const call =
        method === "applyCommitments"
          ? client.applyCommitments({ saleUuid: SALE_UUID })
          : Array.fromAsync(client.exportCommitments({ saleUuid: SALE_UUID }));
      await expect(call).rejects.toMatchObject({
        code: Code.Unavailable,
        rawMessage: "the connection couldn't be opened: connect ECONNREFUSED 127.0.0.1:1",
      });
    },
  );

  it.each([
    ["lost later", attempt("ECONNRESET", "10.0.0.1:80", "read")],
    ["timed out later", attempt("ETIMEDOUT", "10.0.0.1:80", "read")],
    ["cut off later", attempt("EHOSTUNREACH", "10.0.0.1:80", "read")],
    ["cut off at a write", attempt("ENETUNREACH", "10.0.0.1:80", "write")],
    ["one of several", severalAddresses(attempt("ECONNREFUSED", "10.0.0.1:80"), new Error("read"))],
  ])("is none that was %s", async (_, cause) => {
    expect(isNotConnected(cause)).toBe(false);
    expect((await outcome(cause, Code.Aborted)).code).toBe(Code.Aborted);
  });
});
