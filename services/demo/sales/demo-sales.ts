import { create } from "@bufbuild/protobuf";
import { type SaleDefinition, SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";

/** Fictional dollar tokens with 6 decimals; they exist on no chain. */
const USDX = "0x1000000000000000000000000000000000000001";
const USDY = "0x1000000000000000000000000000000000000002";
/** A fictional token with 18 decimals and no fixed value in dollars. */
const TIDE = "0x1000000000000000000000000000000000000003";

const ONE_OFFERED_TOKEN = 10n ** 18n;

export interface DemoSale {
  readonly uuid: string;
  /** `client_id` of its application. */
  readonly clientUuid: string;
  readonly definition: SaleDefinition;
  readonly tokens: readonly string[];
  /** Smallest units of one whole payment token. */
  readonly oneToken: bigint;
  /** The range of the simulated bids, in ticks; 0 and 0 if the price is fixed. */
  readonly lowestBid: bigint;
  readonly highestBid: bigint;
}

/** An auction of a million tokens for dollars: a tick is a tenth of a cent, the floor ten cents. */
export const AUCTION: DemoSale = {
  uuid: "11111111-1111-4111-8111-111111111111",
  clientUuid: "22222222-2222-4222-8222-222222222222",
  definition: create(SaleDefinitionSchema, {
    name: "Demo auction",
    paymentTokens: [
      { address: USDX, decimals: 6, usdStablecoin: true, symbol: "USDX" },
      { address: USDY, decimals: 6, usdStablecoin: true, symbol: "USDY" },
    ],
    offeredTokenDecimals: 18,
    priceTick: { numerator: "1", denominator: (10n ** 15n).toString() },
    pricing: {
      case: "auction",
      value: { offeredAmount: (1_000_000n * ONE_OFFERED_TOKEN).toString(), floorTicks: "100", incrementTicks: "5" },
    },
    presentation: {
      description: "A million tokens that nobody needs, for dollars that don't exist.\nThe bidders are simulated.",
      offeredTokenSymbol: "DEMO",
      listed: true,
      totalSupply: (10_000_000n * ONE_OFFERED_TOKEN).toString(),
    },
  }),
  tokens: [USDX, USDY],
  oneToken: 10n ** 6n,
  lowestBid: 100n,
  highestBid: 900n,
};

/** A sale at 0.0025 TIDE for a token. TIDE isn't a dollar token, so its prices have no micro-USD figures. */
export const FIXED_PRICE: DemoSale = {
  uuid: "33333333-3333-4333-8333-333333333333",
  clientUuid: "44444444-4444-4444-8444-444444444444",
  definition: create(SaleDefinitionSchema, {
    name: "Demo fixed-price sale",
    paymentTokens: [{ address: TIDE, decimals: 18, usdStablecoin: false, symbol: "TIDE" }],
    offeredTokenDecimals: 18,
    priceTick: { numerator: "1", denominator: "10000" },
    pricing: { case: "fixed", value: { priceTicks: "25" } },
    presentation: {
      description: "Tokens at one price for everybody.\nThe buyers are simulated.",
      offeredTokenSymbol: "DEMO",
      listed: true,
    },
  }),
  tokens: [TIDE],
  oneToken: 10n ** 18n,
  lowestBid: 0n,
  highestBid: 0n,
};
