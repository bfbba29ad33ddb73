import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { FractionSchema } from "../../../proto/gen/tidemark/commitments/v1/fraction_pb.ts";
import { SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { SaleFiguresSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { figureTexts } from "./figure-texts.ts";

const token = (symbol: string, usdStablecoin = false) => ({ address: symbol, decimals: 6, usdStablecoin, symbol });
const at = timestampFromDate(new Date("2026-11-24T16:00:00Z"));

function definition(...paymentTokens: ReturnType<typeof token>[]) {
  return create(SaleDefinitionSchema, { paymentTokens, paymentTokenDecimals: 6, offeredTokenDecimals: 18 });
}

function figures(totalAmount: string, commitmentCount: bigint, price?: string) {
  const clearingPrice = price === undefined ? {} : { price: { numerator: price, denominator: `1${"0".repeat(14)}` } };
  return create(SaleFiguresSchema, { totalAmount, commitmentCount, ...(price !== undefined && { clearingPrice }) });
}

const texts = (...parameters: Parameters<typeof figureTexts>) =>
  figureTexts(...parameters).figures.map(({ name, text, change }) => [
    name,
    text.replaceAll("\u00a0", " "),
    change?.replaceAll("\u00a0", " "),
  ]);

it("applies decimals and symbol, and says how much is new", () => {
  const now = figures("1234560000", 1_042n, "25");
  const earlier = { at, figures: figures("34560000", 1_040n, "20") };
  const named = figureTexts(definition(token("USDX")), { now, earlier });
  expect(named.since).toBe("Changes since 24 Nov 2026, 16:00 UTC.");
  expect(named.figures[0]?.exact).toBe("1234.56");
  expect(texts(definition(token("USDX")), { now, earlier })).toEqual([
    ["Committed", "1,234.56 USDX", "+1,200.00 USDX"],
    ["Commitments", "1,042", "+2"],
    ["Clearing price per token", "0.25 USDX", "was 0.20 USDX"],
  ]);
});

it("says that less is committed, or the same", () => {
  const now = figures("1000000", 1n, "25");
  const less = { at, figures: figures("3500000", 4n, "25") };
  expect(texts(definition(token("USDX")), { now, earlier: less }).map(([, , change]) => change)).toEqual([
    "−2.50 USDX",
    "−3",
    "no change",
  ]);
  const same = { at, figures: now };
  expect(texts(definition(token("USDX")), { now, earlier: same }).map(([, , change]) => change)).toEqual([
    "no change",
    "no change",
    "no change",
  ]);
});

it("writes dollars as such, and no symbol where tokens have different ones", () => {
  const now = figures("1000000", 1n);
  expect(texts(definition(token("USDC", true), token("USDT", true)), { now })[0]).toEqual([
    "Committed",
    "$1.00",
    undefined,
  ]);
  expect(texts(definition(token("A"), token("B")), { now })[0]?.[1]).toBe("1.00");
  expect(figureTexts(definition(token("A")), { now }).since).toBeUndefined();
});

describe("the price of an auction", () => {
  /** At a floor of 0.20 the offer of 100 tokens costs 20, at 0.25 it costs 25. */
  const pricing = { case: "auction", value: { offeredAmount: `100${"0".repeat(18)}`, floorTicks: 20n } } as const;
  const priceTick = create(FractionSchema, { numerator: "1", denominator: `1${"0".repeat(14)}` });
  const auction = create(SaleDefinitionSchema, { ...definition(token("USDX")), pricing: pricing as never, priceTick });
  const below = (total: string, amount: string) =>
    Object.assign(figures(total, 2n, "20"), { belowFloorAmount: amount });
  const priceOf = (now: ReturnType<typeof figures>, earlier?: ReturnType<typeof figures>) =>
    texts(auction, { now, ...(earlier && { earlier: { at, figures: earlier } }) })[2];

  it("is its floor while the demand doesn't pay for the offer, and a clearing price then", () => {
    expect(priceOf(figures("19999999", 1n, "20"))).toEqual(["Floor per token", "0.20 USDX", undefined]);
    expect(priceOf(below("20000000", "0"))?.[0]).toBe("Clearing price per token");
    expect(priceOf(figures("25000000", 1n, "25"))?.[0]).toBe("Clearing price per token");
  });

  it("is its floor while only bids below the floor would pay for the offer", () => {
    expect(priceOf(below("30000000", "10000001"))?.[0]).toBe("Floor per token");
    expect(priceOf(below("30000000", "10000000"))?.[0]).toBe("Clearing price per token");
  });

  it("has no kind at the floor where it isn't known what is bid below it", () => {
    const unknown = figures("30000000", 2n, "20");
    expect(priceOf(unknown)?.[0]).toBe("Price per token");
    expect(priceOf(figures("25000000", 2n, "25"), unknown)?.[2]).toBe("was 0.20 USDX");
    expect(priceOf(figures("10000000", 1n, "20"), unknown)?.[2]).toBe("no change");
    expect(priceOf(unknown, figures("25000000", 2n, "25"))?.[2]).toBe("cleared at 0.25 USDX");
  });

  it("says what it was by the same rule", () => {
    const [less, more] = [figures("10000000", 1n, "20"), figures("25000000", 2n, "25")];
    expect(priceOf(more, less)).toEqual(["Clearing price per token", "0.25 USDX", "was the floor, 0.20 USDX"]);
    expect(priceOf(less, more)).toEqual(["Floor per token", "0.20 USDX", "cleared at 0.25 USDX"]);
    expect(priceOf(less, figures("0", 0n, "20"))?.[2]).toBe("no change");
    expect(priceOf(more, figures("24000000", 2n, "24"))?.[2]).toBe("was 0.24 USDX");
  });
});
