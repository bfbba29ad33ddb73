import { Code, ConnectError, createClient, type HandlerContext } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { Health } from "../../../../proto/gen/grpc/health/v1/health_pb.ts";
import { CommitmentService } from "../../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { callSignal, withCallSignal } from "../../concurrency/call-signal.ts";
import { invalidArgument } from "../../errors/service-error.ts";
import { itOnNode } from "../../testing/it-on-node.ts";
import { captureLog } from "../../testing/log-capture.ts";
import { rawConnection } from "../../testing/raw-connection.ts";
import { toServiceError } from "../errors.ts";
import { callerOf } from "../identity/caller.ts";
import { signCallerToken } from "../identity/caller-token.ts";
import { credentials, SALE_UUID, startTestServer, transports } from "../testing/test-server.ts";
import { openHttpListener } from "./http-listener.ts";

/** The error of a call that fails. */
async function failure(call: Promise<unknown>): Promise<ConnectError> {
  const result = await call.catch((error: unknown) => error);
  if (result instanceof ConnectError) return result;
  throw new Error("the call did not fail");
}

const unending = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(new Error("driver gave up"))));

const oversized = { saleUuid: SALE_UUID, requestId: SALE_UUID, removals: [new Uint8Array(3 * 2 ** 20)] };

describe.each(transports)("$name", ({ http2, create }) => {
  const itAtGoaway = http2 ? itOnNode("at GOAWAY its HTTP/2 client may cut streams off or crash") : it;
  const start = async (...[implementation, options]: Parameters<typeof startTestServer>) => {
    const server = await startTestServer(implementation, options);
    const transport = create(server.url);
    return { server, client: createClient(CommitmentService, transport), health: createClient(Health, transport) };
  };

  it("answers calls, and the handler knows the caller", async () => {
    let caller: string | undefined;
    const { client } = await start({
      getRevisions: ({ saleUuids }, context) => {
        caller = callerOf(context).name;
        return { revisions: saleUuids.map((saleUuid) => ({ saleUuid, revision: 2n ** 64n - 1n })) };
      },
    });
    const { revisions } = await client.getRevisions({ saleUuids: [SALE_UUID] });
    expect(revisions).toMatchObject([{ saleUuid: SALE_UUID, revision: 18446744073709551615n }]);
    expect(caller).toBe("gateway");
  });

  it("hands service errors to the client whole", async () => {
    const violations = [{ field: "upserts[3].amounts[0].token", rule: "payment_token.unknown", message: "unknown" }];
    const { client } = await start({ getRevisions: () => Promise.reject(invalidArgument(violations)) });
    const error = await failure(client.getRevisions({ saleUuids: [SALE_UUID] }));
    expect(toServiceError(error)).toMatchObject({ code: "invalid_argument", violations });
  });

  it("refuses what breaks the protos' rules, naming every field", async () => {
    const { client } = await start({});
    const error = await failure(client.getRevisions({ saleUuids: ["x", SALE_UUID, "y"] }));
    expect(toServiceError(error)).toMatchObject({
      code: "invalid_argument",
      message: "sale_uuids[0]: must be a valid UUID; sale_uuids[2]: must be a valid UUID",
      violations: [{ field: "sale_uuids[0]", rule: "string.uuid" }, { field: "sale_uuids[2]" }],
    });
  });

  it("shows nothing of an internal error but an ID, under which it is logged", async () => {
    const { client, server } = await start({ getRevisions: () => Promise.reject(new Error("password is hunter2")) });
    const error = await failure(client.getRevisions({ saleUuids: [SALE_UUID] }));
    expect(error.code).toBe(Code.Internal);
    const errorId = /^internal error ([0-9a-f-]{36})$/.exec(error.rawMessage)?.[1];
    expect(server.lines).toContainEqual(
      expect.objectContaining({
        level: "error",
        error_id: errorId,
        rpc_method: "GetRevisions",
        err: expect.objectContaining({ message: "password is hunter2" }),
      }),
    );
  });

  it("refuses strangers and methods that aren't allowed, whatever the size of the body", async () => {
    const { client, health, server } = await start({ getRevisions: () => ({}) });
    const stranger = createClient(CommitmentService, create(server.url, []));
    const large = { holder: "x".repeat(2 ** 20) };
    expect((await failure(stranger.acquireSaleLease(large))).code).toBe(Code.Unauthenticated);
    expect((await failure(client.acquireSaleLease(large))).code).toBe(Code.PermissionDenied);
    await expect(client.getRevisions({ saleUuids: [SALE_UUID] })).resolves.toBeDefined();
    await expect(health.check({})).resolves.toBeDefined();
  });

  it("refuses a message that is too large, and goes on answering", async () => {
    const { client } = await start(
      { getRevisions: () => ({}), applyCommitments: () => ({}) },
      { maxRequestBytes: 2 ** 20 },
    );
    for (let round = 0; round < 3; round += 1) {
      expect((await failure(client.applyCommitments(oversized))).code).toBe(Code.ResourceExhausted);
      await expect(client.getRevisions({ saleUuids: [SALE_UUID] })).resolves.toBeDefined();
    }
  });

  it("refuses a streaming call whose message is too large, and logs no failure", async () => {
    const { client, server } = await start({ async *exportCommitments() {} }, { maxRequestBytes: 2 ** 20 });
    const call = client.exportCommitments({ saleUuid: "x".repeat(2 ** 20 + 1) });
    expect((await failure(Array.fromAsync(call))).code).toBe(Code.ResourceExhausted);
    expect(server.lines).toEqual([]);
  });

  it("hides the code of a service that a streaming call asks", async () => {
    const { client } = await start({
      // biome-ignore lint/correctness/useYield: it fails before its first message
      async *exportCommitments() {
        throw new ConnectError("table missing on host db-3", Code.InvalidArgument);
      },
    });
    const error = await failure(Array.fromAsync(client.exportCommitments({ saleUuid: SALE_UUID })));
    expect([error.code, error.rawMessage]).toEqual([Code.Internal, expect.stringMatching(/^internal error /)]);
  });

  it("keeps several cookies of an answer", async () => {
    const { client } = await start({
      getRevisions: (_, { responseHeader }) => {
        responseHeader.append("set-cookie", "a=1");
        responseHeader.append("set-cookie", "b=2");
        return {};
      },
    });
    let cookies: string[] = [];
    const onHeader = (header: Headers) => {
      cookies = header.getSetCookie();
    };
    await client.getRevisions({ saleUuids: [SALE_UUID] }, { onHeader });
    expect(cookies).toEqual(["a=1", "b=2"]);
  });

  it("takes large messages below the limit", async () => {
    let received = 0;
    const { client } = await start({
      applyCommitments: ({ upserts }) => {
        received = upserts.length;
        return {};
      },
    });
    const upserts = Array.from({ length: 200 }, () => ({
      commitmentId: new Uint8Array(32),
      entityId: new Uint8Array(16),
      extraData: new Uint8Array(65_536),
    }));
    await client.applyCommitments({ saleUuid: SALE_UUID, requestId: SALE_UUID, upserts });
    expect(received).toBe(200);
  });

  it("gives calls a deadline: the default, the client's, at most the maximum", async () => {
    const remaining: (number | undefined)[] = [];
    const { client } = await start(
      {
        getRevisions: (_, { timeoutMs }) => {
          remaining.push(timeoutMs());
          return {};
        },
      },
      { defaultTimeoutMs: 10_000, maxTimeoutMs: 20_000 },
    );
    for (const timeoutMs of [undefined, 15_000, 3_600_000]) {
      await client.getRevisions({ saleUuids: [SALE_UUID] }, timeoutMs === undefined ? {} : { timeoutMs });
    }
    // What is left of 10, 15 and 20 s.
    expect(remaining.map((left) => Math.ceil((left ?? Number.NaN) / 5_000))).toEqual([2, 3, 4]);
  });

  it("aborts the handler at the deadline, whatever it throws then", async () => {
    const { client } = await start(
      { getRevisions: (_, { signal }) => unending(signal) },
      { defaultTimeoutMs: 50, maxTimeoutMs: 50 },
    );
    const error = await failure(client.getRevisions({ saleUuids: [SALE_UUID] }));
    expect([error.code, error.rawMessage]).toEqual([Code.DeadlineExceeded, "the deadline has passed"]);
  });

  it("aborts the handler when the client goes away", async () => {
    const began = Promise.withResolvers<HandlerContext>();
    const { client, server } = await start({
      getRevisions: (_, context) => {
        began.resolve(context);
        return unending(context.signal);
      },
    });
    const controller = new AbortController();
    const call = failure(client.getRevisions({ saleUuids: [SALE_UUID] }, { signal: controller.signal }));
    const { signal } = await began.promise;
    const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
    controller.abort();
    expect((await call).code).toBe(Code.Canceled);
    await aborted;
    expect(signal.reason).toMatchObject({ code: Code.Canceled });
    expect(server.lines).toEqual([]);
  });

  it("counts each call once, by its code", async () => {
    const registry = new Registry();
    const { client } = await start(
      { getRevisions: ({ saleUuids }) => (saleUuids.length > 1 ? Promise.reject(new Error("boom")) : {}) },
      { registry, maxRequestBytes: 2 ** 20 },
    );
    await client.getRevisions({ saleUuids: [SALE_UUID] });
    await failure(client.getRevisions({ saleUuids: [SALE_UUID, SALE_UUID] }));
    await failure(client.getRevisions({ saleUuids: ["x"] }));
    await failure(client.acquireSaleLease({}));
    await failure(client.applyCommitments(oversized));
    const { values } = (await registry.getSingleMetric("tidemark_rpc_requests_total")?.get()) ?? { values: [] };
    expect(values.map(({ labels, value }) => [labels["method"], labels["code"], value])).toEqual([
      ["GetRevisions", "ok", 1],
      ["GetRevisions", "internal", 1],
      ["GetRevisions", "invalid_argument", 1],
      ["AcquireSaleLease", "permission_denied", 1],
      ["ApplyCommitments", "resource_exhausted", 1],
    ]);
  });

  it("finds the service unavailable until it is served", async () => {
    const listener = await openHttpListener({ host: "127.0.0.1", port: 0, logger: captureLog().logger });
    const early = createClient(CommitmentService, create(listener.url));
    expect((await failure(early.getRevisions({ saleUuids: [SALE_UUID] }))).code).toBe(Code.Unavailable);
    expect((await failure(Array.fromAsync(early.watchCommitmentData({ saleUuid: SALE_UUID })))).code).toBe(
      Code.Unavailable,
    );
    const { url } = await startTestServer({ getRevisions: () => ({}) }, { listener });
    expect(url).toBe(listener.url);
    await expect(early.getRevisions({ saleUuids: [SALE_UUID] })).resolves.toBeDefined();
  });

  itAtGoaway("finishes calls in flight before it closes, and takes no new ones", async () => {
    const began = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const { client, server } = await start({
      getRevisions: async () => {
        began.resolve();
        await release.promise;
        return {};
      },
    });
    const call = client.getRevisions({ saleUuids: [SALE_UUID] });
    await began.promise;
    const closed = server.close(new AbortController().signal);
    await expect(rawConnection(server.port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    release.resolve();
    await expect(call).resolves.toBeDefined();
    await closed;
  });

  itAtGoaway("ends streams with unavailable when it closes", async () => {
    const { health, server } = await start({});
    const stream = health.watch({})[Symbol.asyncIterator]();
    await stream.next();
    const next = failure(stream.next());
    await server.close(new AbortController().signal);
    expect((await next).code).toBe(Code.Unavailable);
  });

  itAtGoaway("waits for streams that come to an end by themselves", async () => {
    const began = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    async function* exportCommitments(_: unknown, { signal }: HandlerContext) {
      yield { part: { case: "header", value: {} } } as const;
      began.resolve();
      await release.promise;
      signal.throwIfAborted();
      yield { part: { case: "commitments", value: {} } } as const;
    }
    const endingStreams = [CommitmentService.method.exportCommitments];
    const { client, server } = await start({ exportCommitments }, { endingStreams });
    const parts = Array.fromAsync(client.exportCommitments({ saleUuid: SALE_UUID }));
    await began.promise;
    const closed = server.close(new AbortController().signal);
    release.resolve();
    expect(await parts).toHaveLength(2);
    await closed;
  });

  itAtGoaway("aborts what is left at the deadline of closing", async () => {
    const began = Promise.withResolvers<AbortSignal>();
    const { client, server } = await start({
      getRevisions: (_, { signal }) => {
        began.resolve(signal);
        return new Promise(() => {});
      },
    });
    const call = failure(client.getRevisions({ saleUuids: [SALE_UUID] }));
    const signal = await began.promise;
    const deadline = new AbortController();
    const closed = server.close(deadline.signal);
    expect(signal.aborted).toBe(false);
    deadline.abort();
    await closed;
    expect(signal.aborted).toBe(true);
    await call;
  });

  itAtGoaway("doesn't wait for idle connections when it closes", async () => {
    const { client, server } = await start({ getRevisions: () => ({}) });
    await client.getRevisions({ saleUuids: [SALE_UUID] });
    await server.close(new AbortController().signal);
  });
});

describe("startRpcServer", () => {
  it("refuses a streaming call whose message is malformed, with the code that a unary call gets", async () => {
    const server = await startTestServer({ async *exportCommitments() {} });
    const token = await signCallerToken(credentials, Math.floor(Date.now() / 1_000));
    const call = async (method: string, contentType: string, body: Uint8Array<ArrayBuffer>) => {
      const headers = { "content-type": contentType, authorization: `Bearer ${token}` };
      const url = `${server.url}/${CommitmentService.typeName}/${method}`;
      return (await fetch(url, { method: "POST", headers, body })).text();
    };
    const malformed = Buffer.from("{");
    const envelope = Buffer.concat([Buffer.from([0, 0, 0, 0, malformed.length]), malformed]);
    expect(await call("GetRevisions", "application/json", malformed)).toContain('"code":"invalid_argument"');
    const streamed = await call("ExportCommitments", "application/connect+json", envelope);
    expect(streamed).toContain('"code":"invalid_argument"');
    expect(server.lines).toEqual([]);
  });

  it("says why it can't listen", async () => {
    const { port } = await startTestServer({});
    await expect(startTestServer({}, { port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it("writes IPv6 addresses into its URL", async () => {
    const server = await startTestServer({}, { host: "::1" });
    expect(server.url).toBe(`http://[::1]:${server.port}`);
  });
});

it("decides on a call outside of the one in whose context its request arrives, as on Deno", async () => {
  const listener = await openHttpListener({ host: "127.0.0.1", port: 0, logger: captureLog().logger });
  const serve: typeof listener.serve = (handler) =>
    listener.serve((...exchange) => withCallSignal(AbortSignal.abort(), () => handler(...exchange)));
  const seen: unknown[] = [];
  const gate = async () => void seen.push(callSignal());
  const server = await startTestServer({ getRevisions: () => ({}) }, { listener: { ...listener, serve }, gate });
  const client = createClient(CommitmentService, createConnectTransport({ baseUrl: server.url, httpVersion: "1.1" }));
  await client.getRevisions({ saleUuids: [SALE_UUID] });
  expect(seen).toEqual([undefined]);
});
