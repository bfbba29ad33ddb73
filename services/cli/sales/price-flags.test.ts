import { describe, expect, it } from "vitest";
import { UsageError } from "../base/cli-error.ts";
import { parseCommandLine } from "../parse-command-line.ts";
import { withPrices } from "./price-flags.ts";
import { saleCreate } from "./sale-create.ts";

const TOKENS = { paymentTokens: [{ address: "0xa1", decimals: 6 }], offeredTokenDecimals: 18 };

function prices(line: string, definition: Parameters<typeof withPrices>[1] = TOKENS) {
  const parsed = parseCommandLine([saleCreate], ["sale", "create", ...line.split(" ")]);
  if (parsed.kind !== "run") throw new Error("expected a command to run");
  const { priceTick, fixed, auction } = withPrices(parsed.input, definition);
  return { priceTick, fixed, auction };
}

describe("withPrices", () => {
  it("converts a fixed price, which is the tick by default", () => {
    expect(prices("--price=0.10")).toEqual({
      priceTick: { numerator: "1", denominator: "10000000000000" },
      fixed: { priceTicks: "1" },
      auction: undefined,
    });
    expect(prices("--price=$1.25 --tick=0.05")).toMatchObject({ fixed: { priceTicks: "25" } });
    expect(prices("--price=1 --offer=0.5")).toMatchObject({
      fixed: { priceTicks: "1", offeredAmount: "500000000000000000" },
    });
  });

  it("converts an auction, and replaces a fixed price", () => {
    const before = { ...TOKENS, fixed: { priceTicks: "1" } };
    expect(prices("--offer=1,000,000.5 --floor=0.10 --increment=0.005 --tick=0.001", before)).toEqual({
      priceTick: { numerator: "1", denominator: "1000000000000000" },
      fixed: undefined,
      auction: { offeredAmount: "1000000500000000000000000", floorTicks: "100", incrementTicks: "5" },
    });
  });

  it("takes the decimals of the total rather than a token's", () => {
    expect(prices("--price=1", { ...TOKENS, paymentTokenDecimals: "18" })).toMatchObject({
      priceTick: { numerator: "1", denominator: "1" },
    });
  });

  it("leaves a definition without these options as it is", () => {
    const definition = { ...TOKENS, fixed: { priceTicks: "7" } };
    expect(prices("--name=N", definition)).toMatchObject({ fixed: { priceTicks: "7" } });
  });

  it.each([
    ["--price=0", "--price must be more than 0"],
    ["--price=a", '--price "a": write a number such as'],
    ["--price=1,5", '--price "1,5": write 1.5 with a point'],
    ["--price=0.1 --tick=0.03", "--price must be a multiple of the price tick, 0.03"],
    ["--price=0.1 --floor=1", "--price can't be combined with --floor"],
    ["--price=0.1 --price-tick=1/1000", "--price can't be combined with --price-tick"],
    ["--offer=5 --clearing-rule=lowest-not-outbid", "--offer can't be combined with --clearing-rule"],
    ["--offer=5", "--increment is missing"],
    ["--increment=0.1", "--offer is missing"],
    ["--offer=0.0000000000000000001 --increment=1", "--offer has more decimals than the token"],
  ])("refuses %s", (line, message) => {
    expect(() => prices(line)).toThrow(UsageError);
    expect(() => prices(line)).toThrow(message);
  });

  it("says which decimals are missing", () => {
    expect(() => prices("--price=1", { paymentTokens: TOKENS.paymentTokens })).toThrow("--offered-decimals is missing");
    expect(() => prices("--price=1", { offeredTokenDecimals: 18 })).toThrow("--token is missing");
  });
});
