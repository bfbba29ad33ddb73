import {
  Code,
  ConnectError,
  createClient,
  type StreamRequest,
  type StreamResponse,
  type UnaryRequest,
  type UnaryResponse,
} from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { CommitmentService } from "../../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { toConnectError } from "../errors.ts";
import { outOfTime, unauthenticated } from "../identity/bearer-token.ts";
import { credentials, SALE_UUID, startTestServer } from "../testing/test-server.ts";
import { balancingInterceptor } from "./balancer.ts";
import { createRpcTransport } from "./client.ts";

const BASE_URLS = ["http://a", "http://b/path", "http://c"];
const revisions = { saleUuids: [SALE_UUID] };
/** The number of a sale. */
const affinity = (message: object) => ("saleUuid" in message ? Number(String(message.saleUuid).slice(-8)) : undefined);
const lost = () => new ConnectError("lost", Code.Unavailable);
const refused = () => Object.assign(lost(), { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) });

/** Processes that answer, or fail as `failures` says by their names. */
function setUp() {
  const failures = new Map<string, () => ConnectError>();
  const clock = { now: 0 };
  let called = "";
  const call = balancingInterceptor(BASE_URLS, {
    affinity,
    now: () => clock.now,
  })(async ({ url }) => {
    const [, name = ""] = /^http:\/\/(a|b(?=\/path)|c)(?:\/path)?\/service\/Method$/.exec(url) ?? [];
    called += name;
    const failure = failures.get(name)?.();
    if (failure !== undefined) throw failure;
    return {} as UnaryResponse;
  });
  /** Names of the processes that a call goes to. */
  async function ask(message: object = revisions): Promise<string> {
    called = "";
    const request = { stream: false, url: "http://a/service/Method", message };
    await call(request as UnaryRequest).catch(ConnectError.from);
    return called;
  }
  const askTimes = async (times: number) => {
    const names: string[] = [];
    while (names.length < times) names.push(await ask());
    return names;
  };
  return { failures, clock, ask, askTimes };
}

describe("a list of a service's processes", () => {
  it("is called round robin", async () => {
    expect(await setUp().askTimes(4)).toEqual(["a", "b", "c", "a"]);
  });

  it("gets all calls about one sale at one process, and sales at each of them", async () => {
    const { ask } = setUp();
    const about = (digit: number) => ask({ saleUuid: SALE_UUID.replace(/.$/, String(digit)) });
    const [zero, one, two] = [await about(0), await about(1), await about(2)];
    expect([zero, one, two].toSorted()).toEqual(["a", "b", "c"]);
    expect([await about(0), await about(1), await about(2)]).toEqual([zero, one, two]);
  });

  it.each([
    ["is unavailable", Code.Unavailable],
    ["misses a deadline", Code.DeadlineExceeded],
  ])("leaves out one that %s, for a second", async (_, code) => {
    const { failures, clock, askTimes } = setUp();
    failures.set("a", () => new ConnectError("away", code));
    expect(await askTimes(5)).toEqual(["a", "b", "c", "b", "b"]);
    failures.clear();
    clock.now = 1_000;
    expect((await askTimes(3)).toSorted()).toEqual(["a", "b", "c"]);
  });

  it("tries one that goes on failing ever less often, after 30 seconds at most", async () => {
    const { failures, clock, ask } = setUp();
    failures.set("a", lost);
    const tries: number[] = [];
    for (; clock.now < 100_000; clock.now += 500) {
      for (const _ of BASE_URLS) if ((await ask()) === "a") tries.push(clock.now / 1_000);
    }
    expect(tries).toEqual([0, 1, 3, 7, 15, 31, 61, 91]);
  });

  it("keeps one that refuses a call for another reason, or whose caller gave up", async () => {
    const { failures, askTimes } = setUp();
    failures.set("a", () => new ConnectError("no", Code.InvalidArgument));
    failures.set("b", () => new ConnectError("canceled", Code.Canceled));
    expect(await askTimes(4)).toEqual(["a", "b", "c", "a"]);
  });

  it("passes a call on that couldn't be sent, and none that may have been executed", async () => {
    const { failures, ask } = setUp();
    failures.set("a", refused).set("b", lost);
    expect(await ask()).toBe("ab");
    failures.set("c", refused);
    expect(await ask()).toBe("cb");
  });

  it("passes a call on that was refused for the caller's token, and lets that process rest", async () => {
    const { failures, ask } = setUp();
    const message = "the caller token is not valid";
    failures.set("a", () => toConnectError(unauthenticated(message), () => {}));
    failures.set("b", () => toConnectError(outOfTime(message), () => {}));
    expect(await ask()).toBe("abc");
    expect([await ask(), await ask()]).toEqual(["c", "c"]);
  });

  it("passes no call on that was refused for a person's token", async () => {
    const { failures, ask } = setUp();
    failures.set("a", () => new ConnectError("expired", Code.Unauthenticated));
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual(["a", "b", "c", "a"]);
  });

  it("is tried from the one that has rested longest where all rest", async () => {
    const { failures, clock, ask } = setUp();
    failures.set("a", lost).set("b", lost).set("c", lost);
    for (const name of ["a", "b", "c"]) {
      expect(await ask()).toBe(name);
      clock.now += 10;
    }
    expect(await ask()).toBe("a");
  });
});

it("calls go on while one process of the list is gone, and end when all are", async () => {
  const handlers = { getRevisions: () => ({}), applyCommitments: () => ({}) };
  const servers = [await startTestServer(handlers), await startTestServer(handlers)];
  const baseUrl = servers.map(({ url }) => url);
  const transport = createRpcTransport({ baseUrl, affinity, caller: credentials, defaultTimeoutMs: 5_000 });
  const client = createClient(CommitmentService, transport);
  const apply = (saleUuid: string) => client.applyCommitments({ saleUuid, requestId: SALE_UUID });
  /** Two of the processes' sales: a call that changes something is sent once. */
  const applyToBoth = () => Promise.all([apply(SALE_UUID), apply(SALE_UUID.replace(/.$/, "2"))]);
  await applyToBoth();
  await servers[0]?.close(AbortSignal.abort());
  // What had a connection may be lost with it; what comes then is sent elsewhere.
  await applyToBoth().catch(ConnectError.from);
  await expect(applyToBoth()).resolves.toHaveLength(2);
  await servers[1]?.close(AbortSignal.abort());
  await expect(client.getRevisions(revisions)).rejects.toMatchObject({ code: Code.Unavailable });
});

describe("a stream", () => {
  const REFUSAL = () => toConnectError(outOfTime("the clocks differ"), () => {});

  /** Processes whose streams end by `ends`, after the given number of answers. */
  function streaming(ends: Readonly<Record<string, () => ConnectError>>, answers = 0, methodKind = "server_streaming") {
    const asked: [string, unknown[]][] = [];
    const call = balancingInterceptor(BASE_URLS, { now: () => 0 })(async (request) => {
      const name = new URL(request.url).hostname;
      asked.push([name, await Array.fromAsync(request.message as AsyncIterable<unknown>)]);
      async function* message() {
        for (let number = 0; number < answers; number += 1) yield `${name}${number}`;
        const end = ends[name];
        if (end !== undefined) throw end();
        yield `${name} ends`;
      }
      return { stream: true, message: message() } as unknown as StreamResponse;
    });
    const read = async () => {
      async function* input() {
        yield "input";
      }
      const request = { stream: true, url: "http://a/service/Method", message: input(), method: { methodKind } };
      const response = (await call(request as unknown as StreamRequest)) as StreamResponse;
      return Array.fromAsync(response.message as AsyncIterable<unknown>).catch((error: unknown) => error);
    };
    return { asked, read };
  }

  it("that a process refuses for its caller's token is opened at the next one, with the same input", async () => {
    const { asked, read } = streaming({ a: REFUSAL });
    expect(await read()).toEqual(["b ends"]);
    expect(asked).toEqual([
      ["a", ["input"]],
      ["b", ["input"]],
    ]);
    // It rests as if it were away.
    expect([await read(), await read(), await read()]).toEqual([["b ends"], ["c ends"], ["b ends"]]);
  });

  it("that all refuse fails with a refusal, after one try each", async () => {
    const { asked, read } = streaming({ a: REFUSAL, b: REFUSAL, c: REFUSAL });
    expect(await read()).toMatchObject({ code: REFUSAL().code });
    expect(asked.map(([name]) => name)).toEqual(["a", "b", "c"]);
  });

  it.each([
    ["has begun", streaming({ a: REFUSAL }, 1)],
    ["has several inputs", streaming({ a: REFUSAL }, 0, "bidi_streaming")],
    ["fails otherwise", streaming({ a: lost })],
  ])("that %s isn't opened again", async (_, { asked, read }) => {
    expect(await read()).toBeInstanceOf(ConnectError);
    expect(asked).toHaveLength(1);
  });
});
