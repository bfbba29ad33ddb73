import { describe, expect, it } from "vitest";
import { commitmentDigest } from "../../../../common/sale/record/commitment-digest.ts";
import { auctionDefinition, idOf, recordOf, TOKEN, WALLET } from "../../testing/samples.ts";
import { prepareApply } from "./prepare-apply.ts";

const COARSE = `0x${"dd".repeat(20)}`;
/** A token with 8 decimals beside one with the sale's own 6. */
const definition = {
  ...auctionDefinition,
  paymentTokens: [...auctionDefinition.paymentTokens, { address: COARSE, decimals: 8, usdStablecoin: true }],
};
const amountOf = (amount: bigint, token = TOKEN, wallet = WALLET) => ({ wallet, token, amount });
const prepared = (...amounts: readonly ReturnType<typeof amountOf>[]) =>
  prepareApply(definition, { upserts: [recordOf(1, { amounts })], removals: [] });

describe("a prepared apply", () => {
  it("sums amounts that are normalised each by itself", () => {
    const { incoming } = prepared(amountOf(5n), amountOf(199n, COARSE), amountOf(199n, COARSE));
    expect(incoming).toMatchObject([{ amount: 7n, hasAmount: true }]);
  });

  it.each([
    ["dust", [amountOf(99n, COARSE)], true],
    ["zeros", [amountOf(0n), amountOf(0n, COARSE)], false],
    ["no amounts", [], false],
  ])("knows of %s, whose sum is zero, whether there is any amount", (_, amounts, hasAmount) => {
    expect(prepared(...amounts).incoming).toMatchObject([{ amount: 0n, hasAmount }]);
  });

  it("is the same however addresses are spelled", () => {
    const spelled = prepared(amountOf(5n, TOKEN.replaceAll("a", "A"), WALLET.replaceAll("b", "B")));
    expect(spelled).toEqual(prepared(amountOf(5n)));
    expect(spelled.incoming[0]?.digest).toBe(commitmentDigest(recordOf(1, { amounts: [amountOf(5n)] })));
  });

  it("has a hash of all that it brings", () => {
    const hash = prepared(amountOf(5n)).hash;
    expect(prepared(amountOf(6n)).hash).not.toBe(hash);
    const removing = prepareApply(definition, {
      upserts: [recordOf(1, { amounts: [amountOf(5n)] })],
      removals: [idOf(2)],
    });
    expect(removing.hash).not.toBe(hash);
  });

  it("is refused where a row is wrong", () => {
    expect(() => prepared(amountOf(5n, `0x${"ee".repeat(20)}`))).toThrow("payment token");
  });
});
