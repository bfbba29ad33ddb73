import { describe, expect, it } from "vitest";
import { SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { UsageError } from "../base/cli-error.ts";
import { messageOfJson } from "../input/json-file.ts";
import { parseCommandLine } from "../parse-command-line.ts";
import { definitionOfFlags, mergeDefinitions } from "./definition-flags.ts";
import { saleCreate } from "./sale-create.ts";

function flags(...args: string[]) {
  const line = parseCommandLine([saleCreate], ["sale", "create", ...args]);
  if (line.kind !== "run") throw new Error("expected a command to run");
  return definitionOfFlags(line.input);
}

describe("definitionOfFlags", () => {
  it("makes a whole definition", () => {
    const tokens = ["--token", "0xa1:6:usd", "--token=0xa2:18"];
    const auction = [
      "--offered-amount",
      `${2n ** 256n - 1n}`,
      "--floor-ticks=0",
      "--increment-ticks=18446744073709551615",
    ];
    const others = ["--name=N", "--price-tick=1/1000", "--payment-decimals=6", "--offered-decimals=18"];
    const source = [
      "--chain=ethereum",
      "--contract=0xc1",
      "--contract-version=1",
      "--extra-data=uint64 tier",
      "--cancelled-keeps-amounts",
      "--wide-prices",
    ];
    expect(messageOfJson(SaleDefinitionSchema, flags(...tokens, ...auction, ...others, ...source))).toMatchObject({
      name: "N",
      paymentTokens: [
        { address: "0xa1", decimals: 6, usdStablecoin: true },
        { address: "0xa2", decimals: 18, usdStablecoin: false },
      ],
      paymentTokenDecimals: 6,
      offeredTokenDecimals: 18,
      priceTick: { numerator: "1", denominator: "1000" },
      pricing: {
        case: "auction",
        value: { offeredAmount: `${2n ** 256n - 1n}`, floorTicks: "0", incrementTicks: String(2n ** 64n - 1n) },
      },
      source: { case: "evm", value: { chain: "ethereum", contract: "0xc1", contractVersion: 1 } },
      extraDataParameters: "uint64 tier",
      cancelledKeepsAmounts: true,
      widePrices: true,
    });
  });

  it("may clear an auction by another rule, which has no increment", () => {
    const rule = { clearingRule: "CLEARING_RULE_LOWEST_NOT_OUTBID", incrementTicks: "1" };
    expect(flags("--clearing-rule=lowest-not-outbid", "--floor-ticks=7")).toEqual({
      auction: { ...rule, floorTicks: "7" },
    });
    const other = flags("--clearing-rule=highest-covered", "--increment-ticks=7");
    expect(other).toEqual({ auction: { clearingRule: "CLEARING_RULE_HIGHEST_COVERED", incrementTicks: "7" } });
  });

  it("may have an amount for sale at a fixed price", () => {
    expect(flags("--price-ticks=5", "--offered-amount=7")).toEqual({ fixed: { priceTicks: "5", offeredAmount: "7" } });
  });

  it("is empty without options", () => {
    expect(flags()).toEqual({});
  });

  it.each([
    ["--token=0xa1", "--token expects"],
    ["--token=0xa1:6:eur", "--token expects"],
    ["--price-tick=0.5", "--price-tick expects N/D"],
    ["--contract=0xc1", "--chain requires either"],
    ["--chain=ethereum", "--chain requires either"],
    ["--chain=x --contract=y --contract-version=3", "--contract-version expects 1 or 2"],
    ["--chain=x --sale-account=y --contract-version=1", "--contract-version requires --contract"],
    ["--chain=x --contract=y --sale-account=z", "--chain requires either"],
    ["--clearing-rule=2", "--clearing-rule expects highest-covered or lowest-not-outbid"],
    ["--clearing-rule=lowest-not-outbid --price-ticks=1", "--price-ticks can't be combined with"],
    ["--price-ticks=1 --floor-ticks=2", "--price-ticks can't be combined with"],
  ])("refuses %s", (line, message) => {
    expect(() => flags(...line.split(" "))).toThrow(UsageError);
    expect(() => flags(...line.split(" "))).toThrow(message);
  });
});

describe("mergeDefinitions", () => {
  it("puts options before the file", () => {
    expect(mergeDefinitions({ name: "file", fixed: { priceTicks: "1" } }, { name: "option" })).toEqual({
      name: "option",
      fixed: { priceTicks: "1" },
    });
  });

  it("replaces another kind of pricing and of source", () => {
    const file = { fixed: { priceTicks: "1" }, evm: { chain: "a", contract: "b" } };
    const options = { auction: { floorTicks: "1" }, svm: { chain: "a", saleAccount: "b" } };
    expect(mergeDefinitions(file, options)).toEqual(options);
  });
});
