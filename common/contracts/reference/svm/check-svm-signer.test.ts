import { describe, expect, it } from "vitest";
import {
  SvmReaderFixture,
  svmChain,
  svmEntity,
  svmEntityId,
} from "../../../../test/support/chains/svm-reader-fixture.ts";
import { svmAddress, svmEntityAddress } from "../../../../test/support/chains/svm-sale.ts";
import { connectSvmChain } from "../../connecting/svm/connect-svm-chain.ts";

const neverAborted = new AbortController().signal;
const SIGNER = svmAddress("permit signer");

function check({ node }: SvmReaderFixture, signer = SIGNER, address = node.saleAccount) {
  const connection = connectSvmChain(svmChain(node), { wait: async () => {} });
  return connection.checkSigner({ address, signer }, neverAborted);
}

describe("the check of a permit signer on Solana", () => {
  it("compares it with permit_signer of the sale account", async () => {
    await using fixture = await SvmReaderFixture.start();
    expect(await check(fixture)).toEqual({ accepted: true });
    expect(await check(fixture, svmAddress("another"))).toEqual({ accepted: false });
  });

  it("has no answer but a problem for what is no address", async () => {
    await using fixture = await SvmReaderFixture.start();
    expect(await check(fixture, SIGNER, "0x1234")).toEqual({ problem: "the sale account must be base58 of 32 bytes" });
    expect(await check(fixture, "0x1234")).toEqual({ problem: "the signer must be base58 of 32 bytes" });
  });

  it("fails where there is no such account, an account of another kind or program, or no answer", async () => {
    await using fixture = await SvmReaderFixture.start();
    fixture.node.advance(({ entities }) => entities.set(svmEntityId(1), svmEntity()));
    await expect(check(fixture, SIGNER, svmAddress("nothing"))).rejects.toThrow("has no account");
    const entity = svmEntityAddress(fixture.node.saleAccount, svmEntityId(1));
    await expect(check(fixture, SIGNER, entity)).rejects.toThrow("isn't of kind SettlementSale");
    fixture.node.beforeAnswer = () => "foreign_owner";
    await expect(check(fixture)).rejects.toThrow("doesn't belong to program");
    fixture.node.beforeAnswer = () => "http_401";
    await expect(check(fixture)).rejects.toThrow("refuses access");
  });
});
