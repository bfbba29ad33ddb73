import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { CheckTokensResponseSchema } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { CheckLimit } from "../base/check-limit.ts";
import { TokenFacts } from "../base/token-facts.ts";
import { NEW_SALE_VALUES } from "./sale-form-values.ts";
import { decimalsErrors, findTokens, type TokenChecker, tokenLine, withDecimals } from "./token-check.ts";

type Token = NonNullable<
  Exclude<MessageInitShape<typeof CheckTokensResponseSchema>, { $typeName: string }>["tokens"]
>[number];

const [A, B] = [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`];
const token = (address: string, decimals = "") => ({ address, decimals, usdStablecoin: false });
const formValues = {
  ...NEW_SALE_VALUES,
  source: "chain",
  chain: "harbour",
  tokens: [token(A, "6"), token("", "6"), token(B)],
};

/** An indexer that knows tokens, or fails. */
function checker(tokens: readonly Token[] | Code): TokenChecker & { readonly asked: string[][] } {
  const asked: string[][] = [];
  const indexer = {
    listChains: () => Promise.reject(new Error("not asked")),
    checkSource: () => Promise.reject(new Error("not asked")),
    checkFinality: () => Promise.reject(new Error("not part of this test")),
    checkTokens: async ({ addresses = [] }: { addresses?: string[] }) => {
      asked.push(addresses);
      if (typeof tokens === "number") throw new ConnectError("scripted", tokens);
      return create(CheckTokensResponseSchema, { tokens: [...tokens] });
    },
  };
  return { indexer, tokenLimit: new CheckLimit({ now: () => 0 }), tokenFacts: new TokenFacts(), asked };
}

describe("payment tokens", () => {
  it("are asked of the chain, those that are entered", async () => {
    const some = checker([
      { address: A, decimals: 18, symbol: "HARB" },
      { address: B, problem: "no token" },
    ]);
    const found = await findTokens(formValues, some, "account");
    expect(some.asked).toEqual([[A, B]]);
    expect(found.map(tokenLine)).toEqual(["On the chain: HARB, 18 decimals.", "", "No token."]);
    expect(decimalsErrors(formValues, found)).toEqual([
      expect.objectContaining({
        field: "token_decimals_0",
        text: "On the chain this token, which calls itself HARB, has 18 decimals",
      }),
    ]);
    expect(decimalsErrors(formValues, found, 1)).toEqual([]);
  });

  it("get the decimals that were left empty", async () => {
    const found = await findTokens(formValues, checker([{ address: B, decimals: 9 }]), "account");
    expect(withDecimals(formValues, found).tokens.map(({ decimals }) => decimals)).toEqual(["6", "6", "9"]);
    expect(found.map(tokenLine)).toEqual(["", "", "On the chain: no symbol, 9 decimals."]);
  });

  it.each([Code.Unavailable, Code.InvalidArgument, Code.NotFound, Code.Unimplemented])(
    "aren't known where the indexer fails (%i)",
    async (code) => {
      const found = await findTokens(formValues, checker(code), "account");
      expect(found.map(tokenLine)).toEqual(["", "", ""]);
      expect(decimalsErrors(formValues, found)).toEqual([]);
    },
  );

  it("aren't asked of a sale without a chain, nor while their address is being typed, nor more than twenty times a minute", async () => {
    const some = checker([]);
    await findTokens({ ...formValues, source: "none" }, some, "account");
    await findTokens({ ...formValues, chain: "" }, some, "account");
    expect(some.asked).toEqual([]);
    for (let length = 1; length < A.length; length++)
      await findTokens({ ...formValues, tokens: [token(A.slice(0, length))] }, some, "account");
    expect(some.asked).toEqual([]);
    for (let time = 0; time < 25; time++) await findTokens(formValues, some, "account");
    expect(some.asked).toHaveLength(20);
  });
  it("are asked for once, however often the form is checked", async () => {
    const some = checker([
      { address: A, decimals: 18, symbol: "HARB" },
      { address: B, problem: "no token" },
    ]);
    await findTokens(formValues, some, "account");
    for (let time = 0; time < 25; time++) {
      const found = await findTokens({ ...formValues, tokens: [token(A)] }, some, "account");
      expect(found.map(tokenLine)).toEqual(["On the chain: HARB, 18 decimals."]);
    }
    expect(some.asked).toEqual([[A, B]]);
    await findTokens(formValues, some, "account");
    await findTokens({ ...formValues, chain: "cove", tokens: [token(A)] }, some, "account");
    expect(some.asked.slice(1)).toEqual([[B], [A]]);
  });
});
