import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import {
  CheckSourceResponseSchema,
  CheckTokensResponseSchema,
  ListChainsResponseSchema,
} from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { CheckLimit } from "../base/check-limit.ts";
import { checkSource, type SourceChecker } from "./check-source.ts";

const SALE_UUID = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0";
const TOKEN = `0x${"a1".repeat(20)}`;
const SOURCE = {
  chain: "local",
  address: `0x${"1".repeat(40)}`,
  saleUuid: SALE_UUID,
  paymentTokens: [TOKEN],
  contractVersion: 0,
  cancelledKeepsAmounts: false,
  decimals: [],
};

type Found = MessageInitShape<typeof CheckSourceResponseSchema>;

/** An indexer that finds a sale everywhere, unless a test makes it refuse. */
function checker(refusal?: Code, found: Found = {}): SourceChecker & { readonly asked: string[] } {
  const asked: string[] = [];
  const indexer = {
    listChains: async () => create(ListChainsResponseSchema),
    checkSource: async ({ address = "" }: { address?: string }) => {
      asked.push(address);
      if (refusal !== undefined) throw new ConnectError("scripted", refusal);
      return create(CheckSourceResponseSchema, { readable: true, height: 9n, ...found });
    },
    checkFinality: () => Promise.reject(new Error("not part of this test")),
    checkTokens: async () => create(CheckTokensResponseSchema, { tokens: [{ address: TOKEN, decimals: 6 }] }),
  };
  return { indexer, checkLimit: new CheckLimit({ now: () => 0 }), asked };
}

describe("checkSource", () => {
  it("asks the indexer twenty times a minute for an account, and says so", async () => {
    const some = checker();
    for (let time = 0; time < 20; time++) expect(await checkSource(some, "a", SOURCE)).toMatchObject({ state: "good" });
    const { state, text } = await checkSource(some, "a", SOURCE);
    expect([state, ...text]).toEqual(["unknown", expect.stringContaining("wait a minute")]);
    expect(some.asked).toHaveLength(20);
    expect(await checkSource(some, "b", SOURCE)).toMatchObject({ state: "good" });
  });

  it("says up to which block, or slot of an SVM chain, a sale was read", async () => {
    const found = checker(undefined, { height: 1_234n });
    expect((await checkSource(found, "a", SOURCE)).text[0]).toMatch(/, read at block 1,234\.$/);
    const account = { ...SOURCE, address: "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R" };
    expect((await checkSource(found, "a", account)).text[0]).toMatch(/, read at slot 1,234\.$/);
  });

  it("says that the indexer has too many checks", async () => {
    const { state, text } = await checkSource(checker(Code.ResourceExhausted), "a", SOURCE);
    expect([state, ...text]).toEqual(["unknown", expect.stringContaining("again in a few seconds")]);
  });

  it("takes a contract that holds the sale's ID, and its tokens in any case", async () => {
    const own = checker(undefined, { saleUuid: SALE_UUID, paymentTokens: [TOKEN.toUpperCase().replace("0X", "0x")] });
    expect(await checkSource(own, "a", SOURCE)).toMatchObject({ state: "good" });
  });

  it("says of a contract of another sale what it holds, and what it should", async () => {
    const other = { saleUuid: "617cbc79-527d-45e3-9f16-8dd4ea04ebd2", paymentTokens: [TOKEN, `0x${"b2".repeat(20)}`] };
    const { state, text } = await checkSource(checker(undefined, other), "a", SOURCE);
    expect([state, ...text]).toEqual([
      "bad",
      expect.stringContaining(
        "0x617cbc79527d45e39f168dd4ea04ebd2, and this sale’s is 0x0f1e2d3c4b5a69788796a5b4c3d2e1f0",
      ),
      expect.stringContaining(`0x${"b2".repeat(20)}, which this sale doesn’t list`),
    ]);
  });

  it("shows the stage by its meaning, and what doesn't fit", async () => {
    const found = { stage: 2, saleStage: SaleStage.CLOSED, problems: ["stage() is odd"] };
    const { state, text } = await checkSource(checker(undefined, found), "a", SOURCE);
    expect([state, ...text]).toEqual(["good", expect.stringContaining("stage: closed"), "Stage() is odd."]);
  });

  it("says of a contract that keeps cancelled amounts, and of one that doesn't, what to tick", async () => {
    const keeping = checker(undefined, { contractVersion: 1, cancelledKeepsAmounts: true });
    const { state, text } = await checkSource(keeping, "a", SOURCE);
    expect([state, ...text]).toEqual(["bad", expect.stringContaining("tick “Cancelled commitments keep")]);
    expect(await checkSource(keeping, "a", { ...SOURCE, cancelledKeepsAmounts: true })).toMatchObject({
      state: "good",
    });
    const other = checker(undefined, { contractVersion: 2, cancelledKeepsAmounts: false });
    expect(await checkSource(other, "a", { ...SOURCE, cancelledKeepsAmounts: true })).toMatchObject({
      state: "bad",
      text: [expect.stringContaining("remove the tick")],
    });
  });

  it("says of a payment token of other decimals what the chain has, as opening the sale does", async () => {
    const { state, text } = await checkSource(checker(), "a", {
      ...SOURCE,
      decimals: [{ address: TOKEN, decimals: 18 }],
    });
    expect([state, ...text]).toEqual([
      "bad",
      expect.stringContaining("has 6 decimals on its chain, and 18 in the sale"),
    ]);
    const right = { ...SOURCE, decimals: [{ address: TOKEN, decimals: 6 }] };
    expect(await checkSource(checker(), "a", right)).toMatchObject({ state: "good" });
  });

  it("knows a wrong contract, and no right one, while tokens can't be asked for", async () => {
    const declared = { ...SOURCE, decimals: [{ address: TOKEN, decimals: 6 }] };
    const tokensAway = (found: Found) => {
      const some = checker(undefined, found);
      return {
        ...some,
        indexer: { ...some.indexer, checkTokens: () => Promise.reject(new Error("scripted")) },
      } as never;
    };
    expect(await checkSource(tokensAway({ readable: false }), "a", declared)).toMatchObject({ state: "bad" });
    expect(await checkSource(tokensAway({}), "a", declared)).toMatchObject({ state: "unknown" });
  });

  it("says that the indexer is away, or that there is none", async () => {
    const away = await checkSource(checker(Code.Unavailable), "a", SOURCE);
    expect(away).toMatchObject({ state: "unknown", text: [expect.stringContaining("doesn’t answer now")] });
    const none = await checkSource({ checkLimit: new CheckLimit() }, "a", SOURCE);
    expect(none).toMatchObject({ state: "unknown", text: [expect.stringContaining("has no indexer set up")] });
  });

  it("says that there is nothing to read, where the indexer gives no reason", async () => {
    const nothing = await checkSource(checker(undefined, { readable: false }), "a", SOURCE);
    expect(nothing).toEqual({ state: "bad", text: ["There is no sale that can be read."] });
  });

  it("counts nothing that isn't asked", async () => {
    const some = checker();
    for (let time = 0; time < 30; time++) await checkSource(some, "a", { ...SOURCE, chain: "", address: "" });
    for (let time = 0; time < 30; time++)
      await checkSource(some, "a", { ...SOURCE, address: SOURCE.address.slice(0, time) });
    expect(await checkSource(some, "a", SOURCE)).toMatchObject({ state: "good" });
  });
});
