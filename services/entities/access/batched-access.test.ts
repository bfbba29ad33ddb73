import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { CheckAccessResponseSchema } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { batchedAccess } from "./batched-access.ts";

const checksOf = (accessTokens: readonly string[]) =>
  create(CheckAccessResponseSchema, { checks: accessTokens.map((email) => ({ access: { email } })) });

it("joins the checks that arrive while auth answers", async () => {
  const calls: (readonly string[])[] = [];
  const authorization = batchedAccess({
    checkAccess: async ({ accessTokens = [] }) => {
      calls.push(accessTokens);
      return checksOf(accessTokens);
    },
  });
  const tokens = ["a", "b", "c", "d"];
  const answers = await Promise.all(tokens.map((token) => authorization.checkAccess({ accessTokens: [token] })));
  expect(answers.map(({ checks }) => checks[0]?.access?.email)).toEqual(tokens);
  expect(calls).toEqual([["a"], ["b", "c", "d"]]);
});

it("fails the checks of a failed call alone", async () => {
  let failures = 1;
  const authorization = batchedAccess({
    checkAccess: async ({ accessTokens = [] }) => {
      if (failures-- > 0) throw new ConnectError("away", Code.Unavailable);
      return checksOf(accessTokens);
    },
  });
  const [first, second] = await Promise.allSettled(
    ["a", "b"].map((token) => authorization.checkAccess({ accessTokens: [token] })),
  );
  expect([first?.status, second?.status]).toEqual(["rejected", "fulfilled"]);
});
