import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, it } from "vitest";
import {
  type CheckAccessResponse,
  CheckAccessResponseSchema,
} from "../../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { batchedAccess } from "./batched-access.ts";

const checksOf = (accessTokens: readonly string[]) =>
  create(CheckAccessResponseSchema, { checks: accessTokens.map((email) => ({ access: { email } })) });

it("joins the checks that arrive at the same moment, and those that arrive while auth answers", async () => {
  const calls: (readonly string[])[] = [];
  const tokens = ["a", "b", "c", "d"];
  const answers: Promise<CheckAccessResponse>[] = [];
  const ask = (...asked: readonly string[]) =>
    void answers.push(...asked.map((token) => authorization.checkAccess({ accessTokens: [token] })));
  const authorization = batchedAccess({
    checkAccess: async ({ accessTokens = [] }) => {
      calls.push(accessTokens);
      if (calls.length === 1) ask("c", "d");
      return checksOf(accessTokens);
    },
  });
  ask("a", "b");
  await answers[0];
  expect((await Promise.all(answers)).map(({ checks }) => checks[0]?.access?.email)).toEqual(tokens);
  expect(calls).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
});

it("fails the checks of a failed call alone", async () => {
  let second: Promise<CheckAccessResponse> | undefined;
  const authorization = batchedAccess({
    checkAccess: async ({ accessTokens = [] }) => {
      if (second !== undefined) return checksOf(accessTokens);
      second = ask("b");
      throw new ConnectError("away", Code.Unavailable);
    },
  });
  const ask = (token: string) => authorization.checkAccess({ accessTokens: [token] });
  const first = ask("a");
  const later = first.catch(() => ask("c"));
  await expect(first).rejects.toMatchObject({ code: Code.Unavailable });
  expect((await Promise.all([later, second])).map((answer) => answer?.checks[0]?.access?.email)).toEqual(["c", "b"]);
});

it("keeps each proof with its token, and sends none where there are none", async () => {
  const calls: unknown[] = [];
  const authorization = batchedAccess({
    checkAccess: async (request) => {
      calls.push(request);
      return checksOf(request.accessTokens ?? []);
    },
  });
  const dpop = { proof: "p", requestId: "r" };
  const proved = authorization.checkAccess({ accessTokens: ["b"], proofs: [{ dpop }] });
  await Promise.all([authorization.checkAccess({ accessTokens: ["a"] }), proved]);
  await authorization.checkAccess({ accessTokens: ["c"] });
  expect(calls).toEqual([
    { accessTokens: ["b", "a"], proofs: [{ dpop }, {}] },
    { accessTokens: ["c"], proofs: [] },
  ]);
});
