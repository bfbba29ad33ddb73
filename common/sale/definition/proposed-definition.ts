import type { TokenCheck } from "../../chains/base/token-check.ts";
import { AUCTION_PRICE_TICK } from "./auction-source.ts";
import type { SaleDefinition } from "./sale.ts";

/** A chain by its name in the operator's configuration, and the address of a contract there. */
export interface ContractPlace {
  readonly chain: string;
  readonly contract: string;
}

/** The facts of a Continuous Clearing Auction from which the settings of its sale follow. */
export interface AuctionFacts {
  readonly currency: TokenCheck;
  readonly token: TokenCheck;
  /** Smallest units of the token that are offered. */
  readonly totalSupply: bigint;
  /** Smallest units of the currency for one of the token, times 2^96. */
  readonly floorPrice: bigint;
}

/**
 * Returns the settings, without a name, that a sale must have which is read from an auction; undefined where the decimals of a token
 * aren't known.
 */
export function proposedDefinition(
  { chain, contract }: ContractPlace,
  { currency, token, totalSupply, floorPrice }: AuctionFacts,
): SaleDefinition | undefined {
  const { address, decimals, symbol } = currency;
  if (decimals === undefined || token.decimals === undefined) return undefined;
  return {
    name: "",
    paymentTokens: [{ address, decimals, usdStablecoin: false, ...(symbol !== undefined && { symbol }) }],
    paymentTokenDecimals: decimals,
    offeredTokenDecimals: token.decimals,
    priceTick: AUCTION_PRICE_TICK,
    pricing: {
      ...{ kind: "auction", clearingRule: "lowest_not_outbid" },
      ...{ offeredAmount: totalSupply, floorTicks: floorPrice, incrementTicks: 1n },
    },
    source: { kind: "evm", chain, contract, family: "cca" },
    extraDataParameters: "",
    cancelledKeepsAmounts: false,
    widePrices: true,
    ...(token.symbol !== undefined && { presentation: { offeredTokenSymbol: token.symbol } }),
  };
}
