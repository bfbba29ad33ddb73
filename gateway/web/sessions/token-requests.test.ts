import { setImmediate as nextTick } from "node:timers/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import {
  AuthorizationService,
  type BatchIssueTokensResponseSchema,
  type IssueTokensRequest,
} from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { TokenRequests, type TokenResult } from "./token-requests.ts";

/** Answers by the first parameter's value, like auth. */
function answerOf({ parameters: [parameter] }: IssueTokensRequest) {
  const value = parameter?.value ?? "";
  if (value === "wrong") return { case: "error" as const, value: { error: "invalid_grant" } };
  return { case: "tokens" as const, value: { accessToken: `for ${value}` } };
}

function limited({ parameters: [parameter] }: IssueTokensRequest): boolean {
  return parameter?.value === "limited";
}

describe("token requests", () => {
  /** The sizes of the calls: 1 is a single one. */
  let calls: number[];
  let refusal: ConnectError | undefined;
  /** Holds answers to single calls back. */
  let held: PromiseWithResolvers<void> | undefined;
  let batchAnswers: MessageInitShape<typeof BatchIssueTokensResponseSchema>["answers"];
  let tokens: TokenRequests;
  beforeEach(() => {
    [calls, refusal, held, batchAnswers] = [[], undefined, undefined, undefined];
    const transport = createRouterTransport(({ service }) => {
      service(AuthorizationService, {
        issueTokens: async (request) => {
          calls.push(1);
          await held?.promise;
          if (limited(request)) throw new ConnectError("too many", Code.ResourceExhausted, { "retry-after": "7" });
          return { result: answerOf(request) };
        },
        batchIssueTokens: ({ requests }) => {
          calls.push(requests.length);
          if (refusal !== undefined) throw refusal;
          const failure = { code: Code.ResourceExhausted, message: "too many", retryAfterSeconds: 7 };
          const answers = requests.map((request) => ({
            result: limited(request) ? { case: "failure" as const, value: failure } : answerOf(request),
          }));
          return { answers: batchAnswers ?? answers };
        },
      });
    });
    tokens = new TokenRequests(createClient(AuthorizationService, transport));
  });

  const issue = (value: string) => tokens.issue({ parameters: [{ name: "code", value }] });
  const issueAll = (values: readonly string[]) => Promise.allSettled(values.map(issue));
  const textOf = (settled: PromiseSettledResult<TokenResult>) => {
    if (settled.status === "rejected") return toServiceError(settled.reason)?.code ?? String(settled.reason);
    return settled.value.case === "tokens" ? settled.value.value.accessToken : settled.value.value?.error;
  };

  it("go alone where one is alone", async () => {
    expect(textOf((await issueAll(["a"]))[0] ?? expect.fail())).toBe("for a");
    expect(textOf((await issueAll(["b"]))[0] ?? expect.fail())).toBe("for b");
    expect(calls).toEqual([1, 1]);
  });

  describe("while a call is under way", () => {
    let first: Promise<TokenResult>;
    beforeEach(async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      held = Promise.withResolvers();
      first = issue("first");
      while (calls.length === 0) await nextTick();
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    /** Issues requests in ticks of their own. */
    const issueInTurn = async (values: readonly string[]): Promise<readonly Promise<TokenResult>[]> => {
      const issued: Promise<TokenResult>[] = [];
      for (const value of values) {
        issued.push(issue(value));
        await nextTick();
      }
      return issued;
    };

    it("gather until its answer, and then go in one call", async () => {
      const others = await issueInTurn(["a", "b", "c"]);
      expect(calls).toEqual([1]);
      held?.resolve();
      expect((await Promise.allSettled([first, ...others])).map(textOf)).toEqual([
        "for first",
        "for a",
        "for b",
        "for c",
      ]);
      expect(calls).toEqual([1, 3]);
    });

    it("wait for a slow one no longer than a millisecond", async () => {
      const others = await issueInTurn(["a", "b"]);
      vi.advanceTimersByTime(1);
      expect((await Promise.allSettled(others)).map(textOf)).toEqual(["for a", "for b"]);
      expect(calls).toEqual([1, 2]);
      held?.resolve();
      await first;
    });
  });

  it("of one event-loop tick go in one call, each with an answer of its own", async () => {
    const settled = await issueAll(["a", "wrong", "limited", "b"]);
    expect(settled.map(textOf)).toEqual(["for a", "invalid_grant", "resource_exhausted", "for b"]);
    expect(settled[2]).toMatchObject({ reason: { code: Code.ResourceExhausted, rawMessage: "too many" } });
    expect(toServiceError((settled[2] as PromiseRejectedResult).reason)?.retryAfterSeconds).toBe(7);
    expect(calls).toEqual([4]);
  });

  it("of one event-loop tick go in several calls if they are too many for one", async () => {
    const values = Array.from({ length: 129 }, (_, index) => String(index));
    expect((await issueAll(values)).map(textOf)).toEqual(values.map((value) => `for ${value}`));
    expect(calls.toSorted((a, b) => a - b)).toEqual([1, 64, 64]);
  });

  it.each([
    ["one of them breaks a rule", Code.InvalidArgument],
    ["together they are too large", Code.ResourceExhausted],
    ["the service is older than batches", Code.Unimplemented],
  ])("go one by one where %s", async (_, code) => {
    refusal = new ConnectError("refused", code);
    expect((await issueAll(["a", "limited", "wrong"])).map(textOf)).toEqual([
      "for a",
      "resource_exhausted",
      "invalid_grant",
    ]);
    expect(calls).toEqual([3, 1, 1, 1]);
  });

  it("are never sent twice where the first call may have done something", async () => {
    refusal = new ConnectError("gone", Code.Unavailable);
    expect((await issueAll(["a", "b"])).map(textOf)).toEqual(["unavailable", "unavailable"]);
    expect(calls).toEqual([2]);
  });

  it("that aren't answered fail", async () => {
    batchAnswers = [{ result: { case: "tokens", value: { accessToken: "for a" } } }];
    const [first, second] = await issueAll(["a", "b"]);
    expect(textOf(first ?? expect.fail())).toBe("for a");
    expect(second?.status).toBe("rejected");
  });
});
