import type { MessageValue } from "../../../common/sale/definition/presentation-message.ts";
import { SALE_FIELDS, type SaleField } from "../../../common/sale/definition/sale-fields.ts";
import { sourceLocation } from "../../../common/sale/definition/source-location.ts";
import { stageOf } from "../../../common/sale/state/stage.ts";
import { publicStatus } from "../../../common/sale/state/status.ts";
import type { Fraction } from "../../../proto/gen/tidemark/commitments/v1/fraction_pb.ts";
import {
  ClearingRule,
  type PaymentToken,
  type SalePresentation,
  type SaleSummary,
  type SourceChain,
  Tenancy,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { LOGOS_PREFIX } from "../../web/http/logos-path.ts";
import { required, timestamp } from "./public-body.ts";

/** The facts about a sale that its public body is made of. */
export interface SaleFacts {
  readonly saleUuid: string;
  readonly summary: SaleSummary;
  /** Undefined where it isn't known. */
  readonly chain: SourceChain | undefined;
  /** The address that signs purchase permits; empty for none. */
  readonly signer: string;
  /** Origin of the logo's address; empty for an address relative to the gateway's own. */
  readonly origin: string;
}

/**
 * Returns what a sale is as fields of public JSON, without braces and without the fields that say how current its figures
 * are.
 *
 * @throws TypeError or RangeError where a message breaks its contract (no price, a time beyond year 9999)
 */
export function saleFields({ saleUuid, summary, chain, signer, origin }: SaleFacts): string {
  const { name, tenancy, status, stage, paymentTokens, paymentTokenDecimals, presentation } = summary;
  const fields = {
    SaleUUID: saleUuid,
    Name: name,
    Tenancy: tenancy === Tenancy.LIVE ? "live" : "test",
    Status: publicStatus(status),
    // JSON.stringify leaves out undefined fields.
    Stage: stageOf(stage),
    ...pricingFields(summary),
    ...optionalFraction("PriceTick", summary.priceTick),
    WidePrices: summary.widePrices || undefined,
    OfferedToken: offeredToken(summary),
    PaymentTokens: paymentTokens.map(paymentToken),
    PaymentTokenDecimals: paymentTokenDecimals,
    ExtraDataParameters: presented(summary.extraDataParameters),
    Contract: contract(summary, chain),
    Signer: presented(signer),
    AcceptedAmount: summary.allocations?.total,
    ...presentationFields(presentation, origin),
  };
  return JSON.stringify(fields).slice(1, -1);
}

/** The name of `ClearingRule.LOWEST_NOT_OUTBID` in public JSON. */
const LOWEST_NOT_OUTBID = "lowest_not_outbid";

function pricingFields({ auction, fixedPrice }: SaleSummary) {
  if (auction === undefined)
    return { Pricing: "fixed", ...fractionFields("Price", required(fixedPrice, "fixed_price")) };
  return {
    Pricing: "auction",
    ...fractionFields("Floor", required(auction.floorPrice, "auction.floor_price")),
    ...optionalFraction("Increment", auction.incrementPrice),
    ClearingRule: auction.clearingRule === ClearingRule.LOWEST_NOT_OUTBID ? LOWEST_NOT_OUTBID : undefined,
  };
}

/** @param fraction undefined where the commitments service is of an older version */
function optionalFraction(name: string, fraction: Fraction | undefined) {
  return fraction === undefined ? {} : fractionFields(name, fraction);
}

function fractionFields(name: string, { numerator, denominator }: Fraction) {
  return { [`${name}Numerator`]: numerator, [`${name}Denominator`]: denominator };
}

function offeredToken({ presentation, offeredTokenDecimals, auction, offeredAmount }: SaleSummary) {
  const { Symbol: symbol, ...others } = fieldsIn("OfferedToken", presentation, "");
  return {
    Symbol: symbol,
    Decimals: offeredTokenDecimals,
    Amount: presented(auction?.offeredAmount ?? offeredAmount),
    ...others,
  };
}

function paymentToken({ address, symbol, decimals, usdStablecoin }: PaymentToken) {
  return { TokenAddress: address, Symbol: presented(symbol), Decimals: decimals, DollarStablecoin: usdStablecoin };
}

function contract({ source }: SaleSummary, chain: SourceChain | undefined) {
  const location = sourceLocation(source);
  if (location === undefined) return undefined;
  const { chainId = 0n } = chain ?? {};
  return {
    Chain: location.chain,
    ChainKind: location.family,
    Family: location.contractFamily,
    // An integer below 2^53 by the contract; 0 where chains have none.
    ChainID: chainId === 0n ? undefined : Number(chainId),
    Address: location.address,
    ExplorerURL: presented(chain?.contractUrl),
  };
}

/** Returns the fields of the sale itself. The times come first: the order is older than the table of fields. */
function presentationFields(presentation: SalePresentation | undefined, origin: string) {
  const { OpensAt, ClosesAt, ...others } = fieldsIn(undefined, presentation, origin);
  return { OpensAt, ClosesAt, ...others };
}

/** @param object the object of public JSON that the fields are in; undefined for the sale itself */
function fieldsIn(object: SaleField["json"]["in"], presentation: SalePresentation | undefined, origin: string) {
  const fields = SALE_FIELDS.filter(({ json }) => json.in === object);
  const values = fields.map(
    (field) => [field.json.name, publicValue(field, presentation?.[field.key], origin)] as const,
  );
  return Object.fromEntries(values);
}

function publicValue({ kind }: SaleField, value: MessageValue, origin: string): string | true | undefined {
  if (typeof value === "boolean") return value || undefined;
  if (typeof value === "bigint") return timestamp(value);
  const text = presented(value);
  return kind === "logo" && text !== undefined ? `${origin}${LOGOS_PREFIX}${text}` : text;
}

/** Returns a text that isn't empty. */
function presented(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
