import { describe, expect, it } from "vitest";
import {
  SVM_MINT,
  SVM_SALE_UUID,
  SvmReaderFixture,
  svmChain,
  svmEntity,
  svmEntityId,
} from "../../../../test/support/chains/svm-reader-fixture.ts";
import { svmAddress, svmEntityAddress, svmSaleAddress } from "../../../../test/support/chains/svm-sale.ts";
import { connectSvmChain } from "./connect-svm-chain.ts";

const neverAborted = new AbortController().signal;

function check({ node }: SvmReaderFixture, address = node.saleAccount) {
  return connectSvmChain(svmChain(node), { wait: async () => {} }).check({ address }, neverAborted);
}

describe("check of a sale account", () => {
  it("returns the sale's own figures", async () => {
    await using fixture = await SvmReaderFixture.start();
    fixture.node.advance(({ entities }) => entities.set(svmEntityId(1), svmEntity()));
    expect(await check(fixture)).toEqual({
      readable: true,
      problems: [],
      commitmentCount: 1n,
      stageNumber: 1,
      stage: "commitment",
      saleUuid: "0189abcd-ef01-7234-8567-89abcdef0123",
      paymentTokens: [SVM_MINT],
      height: 101n,
    });
  });

  it("reports a sum that differs, which doesn't make it unreadable", async () => {
    await using fixture = await SvmReaderFixture.start();
    fixture.node.advance((state) => {
      state.miscount = 3n;
    });
    const problems = ["the entities hold 0, the sale account says 3"];
    expect(await check(fixture)).toMatchObject({ readable: true, problems });
  });

  it.each([
    ["no address", "0x1234", "must be base58 of 32 bytes"],
    ["no account there", svmAddress("nothing"), `chain solana has no account ${svmAddress("nothing")}`],
    [
      "another kind of account",
      svmEntityAddress(svmSaleAddress(SVM_SALE_UUID), svmEntityId(1)),
      "the account isn't of kind SettlementSale",
    ],
  ])("reports %s", async (_, address, text) => {
    await using fixture = await SvmReaderFixture.start();
    fixture.node.advance(({ entities }) => entities.set(svmEntityId(1), svmEntity()));
    expect(await check(fixture, address)).toMatchObject({
      readable: false,
      problems: [expect.stringContaining(text)],
    });
  });

  it("reports an unknown stage, an account of another program, and a node that refuses", async () => {
    await using fixture = await SvmReaderFixture.start();
    fixture.node.advance((state) => {
      state.stage = 9;
    });
    expect(await check(fixture)).toMatchObject({
      readable: true,
      stageNumber: 9,
      problems: ["the sale account has the unknown stage 9"],
    });
    fixture.node.beforeAnswer = () => "foreign_owner";
    expect((await check(fixture)).problems[0]).toContain("doesn't belong to program");
    fixture.node.beforeAnswer = () => "http_401";
    expect((await check(fixture)).problems[0]).toContain("refuses access");
  });
});

describe("the connection", () => {
  it("makes readers that share the chain's way", async () => {
    await using fixture = await SvmReaderFixture.start();
    const chain = connectSvmChain(svmChain(fixture.node, { pollIntervalMs: 7 }));
    const address = fixture.node.saleAccount;
    const reader = chain.createReader({ saleUuid: fixture.node.state.saleUuid, address });
    expect(await reader.next(fixture.store, neverAborted)).toMatchObject({ kind: "sweep", count: 0n });
    expect(chain.pollIntervalMs).toBe(7);
    chain.onHead(() => {})();
    await chain.close();
  });
});
