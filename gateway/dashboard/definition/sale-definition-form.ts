import type { MessageInitShape } from "@bufbuild/protobuf";
import { addressFamily } from "../../../common/chains/addresses.ts";
import { enumName, enumNumber } from "../../../common/platform/encoding/enum-name.ts";
import { fill } from "../../../common/platform/language/message.ts";
import { highestTicks, tickWidth } from "../../../common/sale/definition/tick-width.ts";
import { ticksOf } from "../../../common/sale/record/ticks.ts";
import { tokenPrice } from "../../../common/sale/words/definition-lines.ts";
import { isSame, times, timesPowerOfTen, wholeMultiple } from "../../../common/sale/words/exact-number.ts";
import type { ExactNumber } from "../../../common/sale/words/exact-text.ts";
import { isNumber } from "../../../common/sale/words/read-number.ts";
import {
  ClearingRule,
  ContractFamily,
  ContractFamilySchema,
  type SaleDefinition,
  type SaleDefinitionSchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { FormError, FormErrors } from "../base/form-errors.ts";
import { pageNumberEntry, readPageNumber } from "../base/page-number.ts";
import { texts } from "../base/texts.ts";
import type { KnownChain } from "./check-source.ts";
import { labelOf, type SaleFormValues, TOKEN_FIELDS } from "./sale-form-values.ts";
import { readTokenUnits, tokenUnitsEntry } from "./token-units.ts";

type DefinitionInit = MessageInitShape<typeof SaleDefinitionSchema>;

/** The definition that a form's values mean, or the errors. */
export type ReadDefinition =
  | { readonly definition: DefinitionInit; readonly errors: readonly [] }
  | { readonly definition?: undefined; readonly errors: FormErrors };

export interface ReadOptions {
  readonly chains: readonly KnownChain[];
  /** The definition before the change. */
  readonly before?: SaleDefinition | undefined;
}

const MAX_DECIMALS = 36;

/**
 * Returns the definition that a form's values mean, in the smallest units of the contract. Only entries that the
 * contract can't express are refused here; the service checks the rules.
 */
export function readDefinition(formValues: SaleFormValues, options: ReadOptions): ReadDefinition {
  const reader = new DefinitionReader(formValues, options);
  const definition = reader.definition();
  return reader.errors.length === 0 ? { definition, errors: [] } : { errors: reader.errors };
}

class DefinitionReader {
  readonly errors: FormError[] = [];
  readonly #formValues: SaleFormValues;
  readonly #options: ReadOptions;

  constructor(formValues: SaleFormValues, options: ReadOptions) {
    this.#formValues = formValues;
    this.#options = options;
  }

  definition(): DefinitionInit {
    const { name, extraData, keepsAmounts, offeredDecimals, paymentDecimals } = this.#formValues;
    if (name.trim() === "") this.#refuse("name", texts().definition.nameError);
    const paymentTokens = this.#tokens();
    const offered = offeredDecimals === "" ? undefined : this.#decimals("offered_decimals", offeredDecimals);
    const given = paymentDecimals === "" ? undefined : this.#decimals("payment_decimals", paymentDecimals);
    const payment = given ?? paymentTokens[0]?.decimals ?? 0;
    const agree = paymentTokens.every(({ decimals }) => decimals === payment);
    if (paymentDecimals === "" && !agree) this.#refuse("payment_decimals", texts().definition.commonError);
    return {
      name,
      paymentTokens,
      ...(given !== undefined && { paymentTokenDecimals: given }),
      ...(offered !== undefined && { offeredTokenDecimals: offered }),
      ...this.#prices(payment, offered ?? 0),
      ...this.#source(),
      extraDataParameters: extraData,
      cancelledKeepsAmounts: keepsAmounts,
      widePrices: this.#formValues.widePrices,
    };
  }

  #tokens() {
    const entered = this.#formValues.tokens
      .map((token, index) => ({ ...token, index }))
      .filter(({ address }, index) => address !== "" || index === 0);
    return entered.map(({ address, decimals, usdStablecoin, index }) => {
      if (address === "") this.#refuse(TOKEN_FIELDS.address(index), texts().definition.tokenError);
      return { address, decimals: this.#decimals(TOKEN_FIELDS.decimals(index), decimals) ?? 0, usdStablecoin };
    });
  }

  #decimals(field: string, text: string): number | undefined {
    if (/^\d{1,2}$/.test(text) && Number(text) <= MAX_DECIMALS) return Number(text);
    this.#refuse(field, fill(texts().definition.decimalsError, { max: String(MAX_DECIMALS) }));
    return undefined;
  }

  #prices(payment: number, offered: number): Pick<DefinitionInit, "priceTick" | "pricing"> {
    const { kind, tick: tickText } = this.#formValues;
    const isAuction = kind === "auction";
    if (!isAuction && kind !== "fixed") this.#refuse("kind-fixed", texts().definition.kindError);
    const floor = isAuction ? this.#number("floor", this.#formValues.floor) : undefined;
    const stepField = isAuction ? "increment" : "price";
    const step = this.#positive(stepField, isAuction ? this.#formValues.increment : this.#formValues.price);
    const amount = this.#offeredAmount(offered, isAuction);
    const tick = tickText === "" ? step : this.#positive("tick", tickText);
    if (step === undefined || tick === undefined) return {};
    const stepTicks = this.#ticks(stepField, step, tick);
    const priceTick = this.#tickFraction(tick, payment, offered);
    if (!isAuction) {
      return { priceTick, pricing: { case: "fixed", value: { priceTicks: String(stepTicks), offeredAmount: amount } } };
    }
    const floorTicks = floor === undefined ? 0n : this.#ticks("floor", floor, tick);
    const value = { offeredAmount: amount, floorTicks: String(floorTicks), incrementTicks: String(stepTicks) };
    const clearingRule = this.#formValues.outbids ? ClearingRule.LOWEST_NOT_OUTBID : ClearingRule.UNSPECIFIED;
    return { priceTick, pricing: { case: "auction", value: { ...value, clearingRule } } };
  }

  /**
   * Returns the price tick as a fraction. An unchanged value keeps its previous fraction, which may be unreduced.
   */
  #tickFraction(tick: ExactNumber, payment: number, offered: number) {
    const exact = timesPowerOfTen(tick, payment - offered);
    const before = this.#options.before?.priceTick;
    const kept = before && { numerator: BigInt(before.numerator), denominator: BigInt(before.denominator) };
    const { numerator, denominator } = kept !== undefined && isSame(kept, exact) ? kept : exact;
    return { numerator: numerator.toString(), denominator: denominator.toString() };
  }

  #ticks(field: string, price: ExactNumber, tick: ExactNumber): bigint {
    const ticks = wholeMultiple(price, tick);
    if (ticks !== undefined && ticks <= highestTicks(tickWidth(this.#formValues))) return ticks;
    if (ticks === undefined) {
      this.#refuse(
        field,
        fill(texts().definition.tickError, { price: pageNumberEntry(price), tick: pageNumberEntry(tick) }),
      );
    } else this.#refuse(field, texts().definition.manyTicks);
    return 0n;
  }

  /** Returns smallest units as text; empty where nothing was entered and that is allowed, or what was can't be read. */
  #offeredAmount(offered: number, isRequired: boolean): string {
    const { amount } = this.#formValues;
    if (amount === "" && !isRequired) return "";
    const units = readTokenUnits(amount, offered);
    if ("units" in units) return units.units.toString();
    this.#refuse("amount", units.reason);
    return "";
  }

  #positive(field: string, text: string): ExactNumber | undefined {
    const number = this.#number(field, text);
    if (number === undefined || number.numerator > 0n) return number;
    this.#refuse(field, texts().definition.positive);
    return undefined;
  }

  #number(field: string, text: string): ExactNumber | undefined {
    const number = readPageNumber(text);
    if (isNumber(number)) return number;
    this.#refuse(field, number.reason);
    return undefined;
  }

  #source(): Pick<DefinitionInit, "source"> {
    const { source, chain, address, contractVersion: version } = this.#formValues;
    if (source === "none") return {};
    if (source !== "chain") this.#refuse("source-none", texts().definition.sourceError);
    if (chain === "") this.#refuse("chain", texts().definition.chainError);
    if (address === "") this.#refuse("address", texts().definition.addressError);
    const known = this.#options.chains.find(({ name }) => name === chain);
    const isEvm = known === undefined ? address.startsWith("0x") : known.kind === "evm";
    const isOfChain = addressFamily(address) === (isEvm ? "evm" : "svm");
    if (address !== "" && !isOfChain)
      this.#refuse("address", isEvm ? texts().definition.addressForm : texts().definition.accountForm);
    if (version !== "" && !/^[12]$/.test(version)) this.#refuse("contract_version", texts().definition.versionError);
    if (!isEvm) return { source: { case: "svm", value: { chain, saleAccount: address } } };
    const family = this.#family();
    return { source: { case: "evm", value: { chain, contract: address, contractVersion: Number(version), family } } };
  }

  #family(): ContractFamily {
    return enumNumber(ContractFamilySchema, this.#formValues.contractFamily) ?? ContractFamily.UNSPECIFIED;
  }

  #refuse(field: string, text: string): void {
    this.errors.push({ field, label: labelOf(field), text });
  }
}

/** Returns the form's values that mean a definition. */
export function formValuesOfDefinition(definition: SaleDefinition, tenancy: "test" | "live"): SaleFormValues {
  const { pricing, source, paymentTokens, offeredTokenDecimals } = definition;
  const tokenDecimals = new Set(paymentTokens.map(({ decimals }) => decimals));
  const tick = tokenPrice(definition, 1n);
  const text = (ticks: bigint) => pageNumberEntry(times(tick, ticks));
  const auction = pricing.case === "auction" ? pricing.value : undefined;
  return {
    name: definition.name,
    tenancy,
    kind: auction === undefined ? "fixed" : "auction",
    widePrices: definition.widePrices,
    outbids: auction?.clearingRule === ClearingRule.LOWEST_NOT_OUTBID,
    tokens: paymentTokens.map(({ address, decimals, usdStablecoin }) => ({
      address,
      decimals: String(decimals),
      usdStablecoin,
    })),
    paymentDecimals: tokenDecimals.size > 1 ? String(definition.paymentTokenDecimals ?? "") : "",
    offeredDecimals: offeredTokenDecimals === undefined ? "" : String(offeredTokenDecimals),
    tick: pageNumberEntry(tick),
    price: pricing.case === "fixed" ? text(ticksOf(pricing.value.priceTicks)) : "",
    amount: tokenUnitsEntry(pricing.value?.offeredAmount ?? "", offeredTokenDecimals),
    floor: auction === undefined ? "" : text(ticksOf(auction.floorTicks)),
    increment: auction === undefined ? "" : text(ticksOf(auction.incrementTicks)),
    source: source.case === undefined ? "none" : "chain",
    chain: source.value?.chain ?? "",
    address: source.case === "evm" ? source.value.contract : source.case === "svm" ? source.value.saleAccount : "",
    contractFamily: source.case === "evm" ? (enumName(ContractFamilySchema, source.value.family) ?? "") : "",
    contractVersion: source.case === "evm" && source.value.contractVersion > 0 ? `${source.value.contractVersion}` : "",
    extraData: definition.extraDataParameters,
    keepsAmounts: definition.cancelledKeepsAmounts,
  };
}
