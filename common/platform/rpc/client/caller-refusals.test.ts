import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { CommitmentService } from "../../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { captureLog } from "../../testing/log-capture.ts";
import { unauthenticated } from "../identity/bearer-token.ts";
import { credentials, SALE_UUID, startTestServer } from "../testing/test-server.ts";
import { createRpcTransport } from "./client.ts";

const key = new Uint8Array(32).fill(8);

/** A client of the servers with what it counts and logs. */
function observedClient(baseUrl: readonly string[], caller = credentials) {
  const registry = new Registry();
  const { logger, lines } = captureLog();
  const transport = createRpcTransport({ baseUrl, caller, registry, logger, defaultTimeoutMs: 30_000 });
  const refusals = async () => {
    const metric = await registry.getSingleMetric("tidemark_rpc_client_refusals_total")?.get();
    return metric?.values
      .filter(({ value }) => value > 0)
      .map(({ labels, value }) => [labels["method"], labels["reason"], value]);
  };
  return { client: createClient(CommitmentService, transport), refusals, lines };
}

it("a call whose token one of several processes refuses is answered by the next, and reported", async () => {
  const handlers = { applyCommitments: () => ({}) };
  const gate = () => Promise.reject(unauthenticated("the caller token is not valid"));
  const other = await startTestServer(handlers, { gate });
  const servers = [other, await startTestServer(handlers)];
  const { client, refusals, lines } = observedClient(servers.map(({ url }) => url));
  for (let calls = 0; calls < 3; calls += 1)
    await client.applyCommitments({ saleUuid: SALE_UUID, requestId: SALE_UUID });
  expect(await refusals()).toEqual([["ApplyCommitments", "token", 1]]);
  expect(lines).toMatchObject([{ msg: "a service refuses calls of this process", called: other.url, reason: "token" }]);
});

it("a call whose token every process refuses is unavailable to those who asked", async () => {
  const server = await startTestServer({ getRevisions: () => ({}) });
  const { client, refusals } = observedClient([server.url], { ...credentials, key });
  const error = await client.getRevisions({ saleUuids: [SALE_UUID] }).catch(ConnectError.from);
  expect(error).toMatchObject({ code: Code.Unavailable, rawMessage: expect.stringContaining("caller token") });
  // The retries of an idempotent call are refused as well.
  expect(await refusals()).toEqual([["GetRevisions", "token", 3]]);
});

it("a method that this process may not call is refused as it was, and counted", async () => {
  const server = await startTestServer({});
  const { client, refusals } = observedClient([server.url]);
  const error = await client.acquireSaleLease({ saleUuid: SALE_UUID }).catch(ConnectError.from);
  expect(error).toMatchObject({ code: Code.PermissionDenied });
  expect(await refusals()).toEqual([["AcquireSaleLease", "method", 1]]);
});

it("an operator's command, which counts nothing, reads that it is unauthenticated", async () => {
  const server = await startTestServer({});
  const caller = { ...credentials, key };
  const transport = createRpcTransport({ baseUrl: server.url, caller, defaultTimeoutMs: 30_000 });
  const call = createClient(CommitmentService, transport).getRevisions({ saleUuids: [SALE_UUID] });
  await expect(call).rejects.toMatchObject({ code: Code.Unauthenticated });
});
