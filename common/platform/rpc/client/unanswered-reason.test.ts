import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { CommitmentService } from "../../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { outOfTime } from "../identity/bearer-token.ts";
import { credentials, SALE_UUID, startTestServer } from "../testing/test-server.ts";
import { createRpcTransport } from "./client.ts";
import { unansweredReason } from "./unanswered-reason.ts";

/** The failure of a call by a process that answers others, of a server that refuses its token. */
async function refusedCall(key: Uint8Array, options: Parameters<typeof startTestServer>[1] = {}): Promise<unknown> {
  const { url: baseUrl } = await startTestServer({}, options);
  const caller = { ...credentials, key };
  const transport = createRpcTransport({ baseUrl, caller, registry: new Registry(), defaultTimeoutMs: 60_000 });
  const call = createClient(CommitmentService, transport).getRevisions({ saleUuids: [SALE_UUID] });
  return call.catch((error: unknown) => error);
}

it("names the caller's settings where a service refuses this process's key", async () => {
  const failure = await refusedCall(new Uint8Array(32).fill(8));
  expect(failure).toMatchObject({ code: Code.Unavailable });
  expect(unansweredReason(failure)).toContain("CALLER_KEY");
});

it("names the clocks where a service refuses the times of this process's token", async () => {
  const gate = () => Promise.reject(outOfTime("the caller token is not valid yet"));
  const failure = await refusedCall(credentials.key, { gate });
  expect(failure).toMatchObject({ code: Code.Unavailable });
  expect(unansweredReason(failure)).toContain("clock");
});

it.each([Code.Unauthenticated, Code.PermissionDenied])(
  "names the caller's settings where a service refuses it (%i)",
  (code) => {
    expect(unansweredReason(new ConnectError("no", code))).toContain("CALLER_KEY");
  },
);

it.each([new ConnectError("away", Code.Unavailable), new Error("connection lost")])(
  "says no more than it knows of %s",
  (error) => {
    expect(unansweredReason(error)).toBe("has not answered yet");
  },
);
