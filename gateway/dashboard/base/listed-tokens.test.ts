import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { CheckTokensResponseSchema } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import type { IndexerClient } from "./indexer-client.ts";
import { ListedTokens } from "./listed-tokens.ts";

const [USDC, OTHER] = [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`];
const USDC_FACTS = { address: USDC, decimals: 6, symbol: "USDC" };

/** A list of two tokens, whose chain answers with `tokens`, or not at all. */
function listed() {
  const chain = { nowMs: 0, asked: 0, tokens: undefined as object[] | undefined };
  const checkTokens = async () => {
    chain.asked += 1;
    if (chain.tokens === undefined) throw new Error("away");
    return create(CheckTokensResponseSchema, { tokens: chain.tokens });
  };
  const indexer = { checkTokens } as unknown as IndexerClient;
  const tokens = new ListedTokens(new Map([["base", [USDC, OTHER]]]), indexer, () => chain.nowMs);
  return { chain, tokens };
}

describe("the stablecoins of a chain", () => {
  it("are read once for all who ask, and again half a minute later", async () => {
    const { chain, tokens } = listed();
    chain.tokens = [USDC_FACTS, { ...USDC_FACTS, address: OTHER, symbol: "" }];
    const [one, other] = await Promise.all([tokens.on("base"), tokens.on("base")]);
    chain.nowMs = 29_999;
    expect([other, await tokens.on("base")]).toEqual([one, one]);
    expect(one).toEqual([
      { address: USDC, symbol: "USDC", decimals: "6" },
      { address: OTHER, symbol: "", decimals: "6" },
    ]);
    expect(chain.asked).toBe(1);
    chain.nowMs = 30_000;
    chain.tokens = [
      { ...USDC_FACTS, decimals: 18 },
      { ...USDC_FACTS, address: OTHER },
    ];
    expect((await tokens.on("base")).map(({ decimals }) => decimals)).toEqual(["18", "6"]);
  });

  it("are asked for again half a minute after one of them, or none, could be read", async () => {
    const { chain, tokens } = listed();
    for (const answer of [undefined, [USDC_FACTS, { address: OTHER, problem: "no token" }]]) {
      chain.tokens = answer;
      const before = chain.asked;
      const shown = await tokens.on("base");
      expect(shown.map(({ decimals }) => decimals)).toEqual(answer === undefined ? ["", ""] : ["6", ""]);
      chain.nowMs += 29_999;
      await tokens.on("base");
      expect(chain.asked).toBe(before + 1);
      chain.nowMs += 1;
    }
    await tokens.on("base");
    expect(chain.asked).toBe(3);
  });

  it("are none of a chain without a list, which nobody is asked about", async () => {
    const { chain, tokens } = listed();
    expect(await tokens.on("ethereum")).toEqual([]);
    expect([tokens.has(USDC.toUpperCase().replace("0X", "0x")), tokens.has(`0x${"c3".repeat(20)}`)]).toEqual([
      true,
      false,
    ]);
    expect(chain.asked).toBe(0);
  });
});
