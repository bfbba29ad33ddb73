import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { CommitmentService } from "../../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { ServiceError } from "../../errors/service-error.ts";
import { credentials, SALE_UUID, startTestServer } from "../testing/test-server.ts";
import { createRpcTransport, type RpcTransportOptions } from "./client.ts";

async function start(
  implementation: Parameters<typeof startTestServer>[0],
  options: Partial<RpcTransportOptions> = {},
) {
  const server = await startTestServer(implementation);
  const connect = (more: Partial<RpcTransportOptions> = {}) =>
    createClient(
      CommitmentService,
      createRpcTransport({ baseUrl: server.url, caller: credentials, defaultTimeoutMs: 5_000, ...options, ...more }),
    );
  return { server, client: connect(), connect };
}

const revisions = { saleUuids: [SALE_UUID] };
const apply = { saleUuid: SALE_UUID, requestId: SALE_UUID };

/** A handler that is unavailable for the first calls. */
function failing(times: number, code: "unavailable" | "aborted" = "unavailable") {
  const handler = () => {
    handler.calls += 1;
    if (handler.calls <= times) throw new ServiceError(code, "not now");
    return {};
  };
  handler.calls = 0;
  return handler;
}

describe("createRpcTransport", () => {
  it("calls with its credentials, and as a stranger without", async () => {
    const { server, client } = await start({ getRevisions: () => ({}) });
    await expect(client.getRevisions(revisions)).resolves.toBeDefined();
    const transport = createRpcTransport({ baseUrl: server.url, defaultTimeoutMs: 5_000 });
    const stranger = createClient(CommitmentService, transport);
    await expect(stranger.getRevisions(revisions)).rejects.toMatchObject({ code: Code.Unauthenticated });
  });

  it("sends its default time-out along, and passes a handler's deadline on", async () => {
    const remaining: (number | undefined)[] = [];
    const { connect } = await start({
      getRevisions: (_, { timeoutMs }) => {
        remaining.push(timeoutMs());
        return {};
      },
    });
    const { signal } = new AbortController();
    const client = connect({ defaultTimeoutMs: 20_000 });
    await client.getRevisions(revisions);
    await client.getRevisions(revisions, { signal, timeoutMs: 10_000 });
    expect(remaining.map((left) => Math.ceil((left ?? Number.NaN) / 10_000))).toEqual([2, 1]);
  });

  it("gives up at the time-out", async () => {
    const { connect } = await start({ getRevisions: () => new Promise(() => {}) });
    const call = connect({ defaultTimeoutMs: 50 }).getRevisions(revisions);
    await expect(call).rejects.toMatchObject({ code: Code.DeadlineExceeded });
  });

  it("refuses a response that is too large, and goes on", async () => {
    const { client } = await start(
      { getRevisions: ({ saleUuids }) => ({ revisions: saleUuids.map((saleUuid) => ({ saleUuid })) }) },
      { maxResponseBytes: 1_000 },
    );
    const many = Array.from({ length: 100 }, () => SALE_UUID);
    await expect(client.getRevisions({ saleUuids: many })).rejects.toMatchObject({ code: Code.ResourceExhausted });
    await expect(client.getRevisions(revisions)).resolves.toBeDefined();
  });

  it("uses no more connections than it may", async () => {
    const server = await startTestServer({ getRevisions: () => ({}) }, { limits: { maxConnections: 2 } });
    const options = { baseUrl: server.url, caller: credentials, defaultTimeoutMs: 5_000, maxConnections: 2 };
    const client = createClient(CommitmentService, createRpcTransport(options));
    const calls = Array.from({ length: 20 }, () => client.getRevisions(revisions));
    await expect(Promise.all(calls)).resolves.toHaveLength(20);
  });

  it("fails as unavailable where nobody listens", async () => {
    const { server, client } = await start({});
    await server.close(AbortSignal.abort());
    await expect(client.getRevisions(revisions)).rejects.toMatchObject({ code: Code.Unavailable });
  });
});

describe("retries", () => {
  it("repeats a call without side effects while the service is unavailable, twice at most", async () => {
    const twice = failing(2);
    const thrice = failing(3);
    const { client } = await start({ getRevisions: twice, listDigests: thrice });
    await expect(client.getRevisions(revisions)).resolves.toBeDefined();
    await expect(client.listDigests({ saleUuid: SALE_UUID })).rejects.toMatchObject({ code: Code.Unavailable });
    expect([twice.calls, thrice.calls]).toEqual([3, 3]);
  });

  it("repeats no other errors and no calls with side effects", async () => {
    const aborted = failing(1, "aborted");
    const applied = failing(1);
    const { client } = await start({ getRevisions: aborted, applyCommitments: applied });
    await expect(client.getRevisions(revisions)).rejects.toMatchObject({ code: Code.Aborted });
    await expect(client.applyCommitments(apply)).rejects.toMatchObject({ code: Code.Unavailable });
    expect([aborted.calls, applied.calls]).toEqual([1, 1]);
  });

  it("stops with the caller's signal", async () => {
    const controller = new AbortController();
    let calls = 0;
    const { client } = await start({
      getRevisions: () => {
        calls += 1;
        controller.abort();
        throw new ServiceError("unavailable", "not now");
      },
    });
    const error = await client.getRevisions(revisions, { signal: controller.signal }).catch(ConnectError.from);
    expect([error instanceof ConnectError && error.code, calls]).toEqual([Code.Canceled, 1]);
  });
});
