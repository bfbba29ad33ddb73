import { isDeepStrictEqual } from "node:util";
import type { ContractFamily } from "./contract-family.ts";
import type { Fraction } from "./fraction.ts";
import type { SalePresentation } from "./sale-fields.ts";

export type Tenancy = "test" | "live";

export interface PaymentToken {
  /** EVM: lower-case `0x` hex. SVM: base58. */
  readonly address: string;
  readonly decimals: number;
  readonly usdStablecoin: boolean;
  /** Absent if it isn't known. */
  readonly symbol?: string;
}

export interface FixedPricing {
  readonly kind: "fixed";
  readonly priceTicks: bigint;
  /** Smallest offered units for sale, at least 1; absent where it isn't known. It decides nothing. */
  readonly offeredAmount?: bigint;
}

export interface AuctionPricing {
  readonly kind: "auction";
  /** S: smallest offered units for sale, at least 1. */
  readonly offeredAmount: bigint;
  readonly floorTicks: bigint;
  /** Always 1 or more. */
  readonly incrementTicks: bigint;
  /** Absent for the highest price that is covered (`clearingSearch`). */
  readonly clearingRule?: ClearingRule;
}

/** A rule by which an auction clears beside the usual one. Its bids may have a demand, and its increment is 1. */
export type ClearingRule = "lowest_not_outbid";

export type Pricing = FixedPricing | AuctionPricing;

export interface EvmSource {
  readonly kind: "evm";
  readonly chain: string;
  /** Lower-case `0x` hex. */
  readonly contract: string;
  /** Major version of the reference contract whose stages this one has, if its `version()` doesn't say that. */
  readonly contractVersion?: number;
  /** The family that the contract is of; absent for the reference contract's. */
  readonly family?: ContractFamily;
}

export interface SvmSource {
  readonly kind: "svm";
  readonly chain: string;
  readonly saleAccount: string;
}

export type Source = EvmSource | SvmSource;

/** Returns the address of a source's contract or sale account. */
export function sourceAddress(source: Source): string {
  return source.kind === "evm" ? source.contract : source.saleAccount;
}

/** Returns the major version of the reference contract that a source names; undefined where it names none. */
export function sourceVersion(source: Source): number | undefined {
  return source.kind === "evm" ? source.contractVersion : undefined;
}

/** Returns the family of contracts that a source names; undefined for the reference contract's, and for no source. */
export function sourceFamily(source: Source | undefined): ContractFamily | undefined {
  return source?.kind === "evm" ? source.family : undefined;
}

/** A checked definition: addresses in their canonical form, `paymentTokenDecimals` decided. */
export interface SaleDefinition {
  readonly name: string;
  readonly paymentTokens: readonly PaymentToken[];
  /** P: the decimals in which amounts are listed and added up. */
  readonly paymentTokenDecimals: number;
  readonly offeredTokenDecimals?: number;
  /** n/d: smallest payment units per smallest offered unit per tick. */
  readonly priceTick: Fraction;
  readonly pricing: Pricing;
  readonly source?: Source;
  /** Human-readable ABI parameters of the extra data; empty for none. */
  readonly extraDataParameters: string;
  readonly cancelledKeepsAmounts: boolean;
  /** Whether a number of ticks may have 160 bits, not only 64; absent for no. */
  readonly widePrices?: true;
  /** Absent if it would be empty. */
  readonly presentation?: SalePresentation;
}

/** The settings of a sale. Everything that changes with commitments is in `SaleState`. */
export interface Sale {
  /** Lower-case canonical text form. */
  readonly uuid: string;
  readonly tenancy: Tenancy;
  readonly definition: SaleDefinition;
  readonly definitionVersion: bigint;
  /** Canonical UUID of the owner's account; empty for none. */
  readonly ownerAccountUuid: string;
  readonly createdAtMillis: bigint;
}

/** Returns a definition with another logo. @param logo the SHA-256 of its image, hex; undefined for none */
export function withLogo({ presentation, ...definition }: SaleDefinition, logo: string | undefined): SaleDefinition {
  const { logo: _, ...texts } = presentation ?? {};
  const shown = { ...texts, ...(logo !== undefined && { logo }) };
  return { ...definition, ...(Object.keys(shown).length > 0 && { presentation: shown }) };
}

/** Returns the sale with another definition, which has the next version; the sale itself if the definition is the same. */
export function withDefinition(sale: Sale, definition: SaleDefinition): Sale {
  if (isDeepStrictEqual(definition, sale.definition)) return sale;
  return { ...sale, definition, definitionVersion: sale.definitionVersion + 1n };
}
