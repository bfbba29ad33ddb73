import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type SaleDefinition, SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { pathsWithoutMask, shownPaths, unknownPaths, withMaskedFields } from "./field-mask.ts";

type Definition = Exclude<MessageInitShape<typeof SaleDefinitionSchema>, { $typeName: string }>;
const definitionOf = (init: Definition) => create(SaleDefinitionSchema, init);

const USDC = { address: "0xa", decimals: 6, usdStablecoin: true };
const STORED = definitionOf({
  name: "Harbour",
  paymentTokens: [USDC],
  paymentTokenDecimals: 6,
  priceTick: { numerator: "1", denominator: "2" },
  pricing: { case: "fixed", value: { priceTicks: "20", offeredAmount: "7" } },
  source: { case: "evm", value: { chain: "harbour", contract: "0xc", contractVersion: 1 } },
  presentation: { description: "A", website: "https://a.example/", opensAtSeconds: 5n },
});
/** A field of a later version, as a reader of this one keeps it: number 99, a text. */
const LATER = { no: 99, wireType: 2, data: new Uint8Array([1, 65]) };

const merged = (sent: Definition, ...paths: string[]) => withMaskedFields(STORED, definitionOf(sent), paths);

describe("a mask", () => {
  it("takes what it names, and keeps all other fields", () => {
    expect(merged({ name: "Pier", extraDataParameters: "uint64 a" }, "name")).toEqual({ ...STORED, name: "Pier" });
    const { presentation } = merged({ presentation: { website: "b", description: "B" } }, "presentation.website");
    expect(presentation).toMatchObject({ description: "A", website: "b", opensAtSeconds: 5n });
  });

  it("removes what it names and the request lacks", () => {
    const { presentation, source } = merged({}, "presentation.opens_at_seconds", "evm");
    expect([presentation?.opensAtSeconds, presentation?.website, source.case]).toEqual([
      undefined,
      "https://a.example/",
      undefined,
    ]);
    expect(merged({}, "presentation").presentation).toBeUndefined();
  });

  it("replaces one of several alternatives by another", () => {
    const auction = { offeredAmount: "9", floorTicks: "1", incrementTicks: "1" };
    const { pricing } = merged({ pricing: { case: "auction", value: auction } }, "fixed", "auction");
    expect(pricing).toMatchObject({ case: "auction", value: auction });
  });

  it("reaches into one message, and makes it where there is none", () => {
    expect(
      merged({ pricing: { case: "fixed", value: { priceTicks: "3" } } }, "fixed.price_ticks").pricing.value,
    ).toMatchObject({ priceTicks: "3", offeredAmount: "7" });
    const bare = withMaskedFields(definitionOf({}), STORED, ["presentation.website", "svm.chain"]);
    expect(bare).toMatchObject({ presentation: { website: "https://a.example/" }, source: { case: undefined } });
  });

  it("keeps a field of a later version, and changes neither of its arguments", () => {
    const stored = structuredClone(STORED) as SaleDefinition;
    if (stored.presentation) stored.presentation.$unknown = [LATER];
    const sent = definitionOf({ presentation: { website: "b" } });
    const { presentation } = withMaskedFields(stored, sent, ["presentation.website", "presentation.description"]);
    expect(presentation).toMatchObject({ website: "b", description: "", $unknown: [LATER] });
    expect([stored.presentation?.website, sent.presentation?.website]).toEqual(["https://a.example/", "b"]);
  });
});

it("a path names a field of the definition or of a message in it, and nothing in a list", () => {
  expect(unknownPaths(["name", "payment_tokens", "evm.contract", "presentation.logo", "price_tick.numerator"])).toEqual(
    [],
  );
  const wrong = ["", "Name", "pricing", "name.first", "payment_tokens.symbol", "presentation.", "presentation.unknown"];
  expect(unknownPaths(wrong)).toEqual(wrong);
});

describe("the paths of a writer", () => {
  it("name what it shows, down to the fields that it knows", () => {
    expect(shownPaths(STORED, ["name", "evm", "svm"])).toEqual([
      "name",
      "evm.chain",
      "evm.contract",
      "evm.contract_version",
      "evm.family",
      "svm",
    ]);
  });

  it("are, without a mask, those that were there before masks; a presentation only where it is sent", () => {
    const sent = definitionOf({ name: "Pier", pricing: { case: "fixed", value: { priceTicks: "3" } } });
    expect(pathsWithoutMask(sent)).toEqual([
      "name",
      "payment_tokens",
      "payment_token_decimals",
      "offered_token_decimals",
      "price_tick",
      "fixed.price_ticks",
      "fixed.offered_amount",
      "auction",
      "evm",
      "svm",
      "extra_data_parameters",
      "cancelled_keeps_amounts",
    ]);
    expect(pathsWithoutMask(definitionOf({ presentation: {} })).slice(-7)).toEqual([
      "presentation.description",
      "presentation.website",
      "presentation.offered_token_symbol",
      "presentation.opens_at_seconds",
      "presentation.closes_at_seconds",
      "presentation.logo",
      "presentation.total_supply",
    ]);
  });
});
