import type { Sale, SaleContract } from "../../../client/index.ts";
import type { SourcePosition } from "../../chains/base/source-position.ts";
import type { ContractFamily } from "../../sale/definition/contract-family.ts";
import type { Fraction } from "../../sale/definition/fraction.ts";
import type { AuctionPricing, Pricing } from "../../sale/definition/sale.ts";
import { CannotVerify } from "../compare/cannot-verify.ts";
import type { ShownDefinition, ShownSale, ShownSource } from "../compare/shown-sale.ts";
import { addressOf, decimalsOf, fractionOf, integerOf, positiveNumber, wholeNumber } from "./public-values.ts";

/** The longest parameters of extra data that a sale may have. */
const MAX_PARAMETERS = 2_000;

/**
 * Converts the public document of a sale.
 *
 * @throws CannotVerify for a sale that isn't read from a contract; Error where the document breaks its contract
 */
export function publicSale(sale: Sale): Omit<ShownSale, "figures" | "state" | "changedAt"> {
  const { Stage, AsOf, Signer, AcceptedAmount } = sale;
  const settled = sale.Status === "settled";
  return {
    saleUuid: sale.SaleUUID,
    name: sale.Name,
    settled,
    ...(Stage === undefined ? {} : { stage: Stage }),
    definition: definitionOf(sale),
    source: sourceOf(sale.Contract),
    ...(AsOf === undefined ? {} : { asOf: positionOf(AsOf) }),
    // Only of a sale that can't change any more the figures are never behind, although nothing is confirmed any more.
    isFinal: settled && sale.BehindSeconds === 0 && sale.Fault === "",
    ...(Signer === undefined ? {} : { signer: Signer }),
    ...(AcceptedAmount === undefined ? {} : { accepted: { total: wholeNumber("AcceptedAmount", AcceptedAmount) } }),
  };
}

function definitionOf(sale: Sale): ShownDefinition {
  const { OfferedToken, ExtraDataParameters = "" } = sale;
  const kind = kindOf(sale.Contract);
  const priceTick = priceOf(sale.PriceTickNumerator, sale.PriceTickDenominator);
  if (priceTick === undefined || priceTick.numerator < 1n)
    throw new CannotVerify("this deployment doesn't say what a price tick of the sale is worth");
  return {
    name: sale.Name,
    paymentTokens: sale.PaymentTokens.map(({ TokenAddress, Decimals, DollarStablecoin, Symbol: symbol }) => ({
      address: addressOf("TokenAddress", TokenAddress, kind),
      decimals: decimalsOf("Decimals", Decimals),
      usdStablecoin: DollarStablecoin,
      ...(symbol === undefined ? {} : { symbol }),
    })),
    paymentTokenDecimals: decimalsOf("PaymentTokenDecimals", sale.PaymentTokenDecimals),
    ...(OfferedToken.Decimals === undefined
      ? {}
      : { offeredTokenDecimals: decimalsOf("OfferedToken.Decimals", OfferedToken.Decimals) }),
    priceTick,
    pricing: pricingOf(sale, priceTick),
    extraDataParameters: ExtraDataParameters.slice(0, MAX_PARAMETERS),
    parsesExtraData: true,
    ...(sale.WidePrices === true && { widePrices: true as const }),
  };
}

function pricingOf(sale: Sale, priceTick: Fraction): Pricing {
  const ticks = (name: string, numerator: string | undefined, denominator: string | undefined) => {
    const price = priceOf(numerator, denominator);
    if (price === undefined) throw new TypeError(`${name} is missing`);
    return ticksOf(name, price, priceTick);
  };
  if (sale.Pricing === "fixed") {
    return { kind: "fixed", priceTicks: ticks("Price", sale.PriceNumerator, sale.PriceDenominator) };
  }
  return {
    kind: "auction",
    offeredAmount: positiveNumber("OfferedToken.Amount", sale.OfferedToken.Amount),
    floorTicks: ticks("Floor", sale.FloorNumerator, sale.FloorDenominator),
    incrementTicks: atLeastOne("Increment", ticks("Increment", sale.IncrementNumerator, sale.IncrementDenominator)),
    ...clearingRuleOf(sale),
  };
}

function clearingRuleOf({ ClearingRule: rule }: Sale): Pick<AuctionPricing, "clearingRule"> {
  if (rule === undefined) return {};
  if (rule !== "lowest_not_outbid")
    throw new CannotVerify(`the auction clears by a rule that is unknown here: ${rule}`);
  return { clearingRule: rule };
}

function atLeastOne(name: string, ticks: bigint): bigint {
  if (ticks < 1n) throw new TypeError(`${name} is 0`);
  return ticks;
}

/** The number of ticks of a price. @throws TypeError if it isn't a whole number of them */
function ticksOf(name: string, price: Fraction, tick: Fraction): bigint {
  const isWhole = price.denominator === tick.denominator && price.numerator % tick.numerator === 0n;
  if (!isWhole) throw new TypeError(`${name} isn't a whole number of price ticks`);
  return price.numerator / tick.numerator;
}

function priceOf(numerator: string | undefined, denominator: string | undefined): Fraction | undefined {
  return numerator === undefined || denominator === undefined ? undefined : fractionOf(numerator, denominator);
}

function sourceOf(contract: SaleContract | undefined): ShownSource {
  if (contract === undefined) {
    throw new CannotVerify("the sale isn't read from a contract: its figures are those of the service that feeds it");
  }
  const { Chain, ChainID, Address, Family } = contract;
  return {
    kind: kindOf(contract),
    chain: Chain,
    address: addressOf("Contract.Address", Address, kindOf(contract)),
    ...(ChainID === undefined || ChainID === 0 ? {} : { chainId: integerOf("Contract.ChainID", ChainID) }),
    ...(Family === undefined ? {} : { contractFamily: familyOf(Family) }),
  };
}

function familyOf(family: string): ContractFamily {
  if (family !== "cca") throw new CannotVerify(`this version can't read contracts of the family ${family}`);
  return family;
}

function kindOf(contract: SaleContract | undefined): ShownSource["kind"] {
  return contract?.ChainKind === "svm" ? "svm" : "evm";
}

function positionOf({ Block, BlockHash = "0x", BlockTime }: NonNullable<Sale["AsOf"]>): SourcePosition {
  if (!/^0x(?:[0-9a-f]{64})?$/.test(BlockHash)) throw new TypeError("BlockHash is no hash");
  const timeSeconds = BlockTime === undefined ? {} : { timeSeconds: integerOf("BlockTime", BlockTime) };
  return { height: wholeNumber("Block", Block), hash: BlockHash.slice(2), ...timeSeconds };
}
