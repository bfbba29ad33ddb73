import { create } from "@bufbuild/protobuf";
import {
  ClearingRule,
  type SaleDefinition,
  SaleDefinitionSchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";

/** Fictional dollar tokens with 6 decimals; they exist on no chain. */
export const USDX = "0x1000000000000000000000000000000000000001";
const USDY = "0x1000000000000000000000000000000000000002";
/** A fictional token with 18 decimals and no fixed value in dollars. */
const TIDE = "0x1000000000000000000000000000000000000003";

/** The token that the continuous auction sells, with 6 decimals. */
export const DEMO_TOKEN = "0x1000000000000000000000000000000000000004";

const ONE_OFFERED_TOKEN = 10n ** 18n;
const Q96 = 2n ** 96n;

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

/** An auction whose tokens are sold block by block. It exists on the chain alone. */
export interface ContinuousSale extends Pick<DemoSale, "uuid" | "clientUuid" | "definition"> {
  /** In smallest units of `DEMO_TOKEN`. */
  readonly supply: bigint;
  /** Dollars a token, times 2^96, as the contract has them; both tokens have 6 decimals. */
  readonly floorPrice: bigint;
  readonly tickSpacing: bigint;
}

const CONTINUOUS_SUPPLY = 100_000n * 10n ** 6n;
const CONTINUOUS_FLOOR = Q96 / 8n;

/** 100,000 tokens for dollars, at 12.5 cents at least. Prices are multiples of 2^-10 dollars, which are exact in binary. */
export const CONTINUOUS: ContinuousSale = {
  uuid: "55555555-5555-4555-8555-555555555555",
  clientUuid: "66666666-6666-4666-8666-666666666666",
  definition: create(SaleDefinitionSchema, {
    name: "Demo continuous auction",
    paymentTokens: [{ address: USDX, decimals: 6, usdStablecoin: true, symbol: "USDX" }],
    offeredTokenDecimals: 6,
    priceTick: { numerator: "1", denominator: Q96.toString() },
    widePrices: true,
    pricing: {
      case: "auction",
      value: {
        offeredAmount: CONTINUOUS_SUPPLY.toString(),
        floorTicks: CONTINUOUS_FLOOR.toString(),
        incrementTicks: "1",
        clearingRule: ClearingRule.LOWEST_NOT_OUTBID,
      },
    },
    presentation: {
      description: "Tokens that nobody needs, a few with each block of the chain.\nThe bidders are simulated.",
      offeredTokenSymbol: "DEMO",
      listed: true,
    },
  }),
  supply: CONTINUOUS_SUPPLY,
  floorPrice: CONTINUOUS_FLOOR,
  tickSpacing: Q96 / 1_024n,
};
