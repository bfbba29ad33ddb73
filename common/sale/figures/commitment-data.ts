import type { Fraction } from "../definition/fraction.ts";
import type { SaleDefinition } from "../definition/sale.ts";
import type { CommitmentRecord, WalletTokenAmount } from "../record/commitment.ts";
import type { AbiValue } from "./abi-decode.ts";
import { AmountNormaliser } from "./amount.ts";
import type { ExtraDataParser } from "./extra-data.ts";
import { commitmentPrice, microUsd, priceOfTicks, quotesMicroUsd } from "./price.ts";

/** The public state of a sale before it is presented: raw records and exact sums at one revision. */
export interface SaleSnapshot {
  /** The public list of the active commitments (`latestOf`). */
  readonly latest: readonly CommitmentRecord[];
  /** The normalised sum of all active commitments. */
  readonly total: bigint;
  readonly count: bigint;
  /** Only in an auction. */
  readonly clearingTick?: bigint;
  /** The part of `total` that is bid below an auction's floor; absent for none. */
  readonly belowFloor?: bigint;
}

export interface PresentedPrice {
  readonly price: Fraction;
  /** Only if the sale quotes micro-USD. */
  readonly microUsd?: bigint;
}

/** A commitment as the public read shows it (system description, section 2.1). */
export interface PresentedCommitment extends PresentedPrice {
  readonly commitmentId: string;
  readonly entityId: string;
  /** Normalised amounts. Raw zeros are left out; amounts that normalise to nothing stay as 0. */
  readonly amounts: readonly WalletTokenAmount[];
  readonly createdAtSeconds: bigint;
  readonly extraData: Uint8Array;
  readonly extraDataParsed: { readonly [name: string]: AbiValue };
}

/** The figures of a sale as the public read shows them (system description, section 2.3). */
export interface CommitmentData {
  readonly commitments: readonly PresentedCommitment[];
  readonly total: bigint;
  readonly count: bigint;
  readonly paymentTokenDecimals: number;
  readonly offeredTokenDecimals?: number;
  /** Only in an auction. */
  readonly clearing?: PresentedPrice;
  /** The part of `total` that is bid below an auction's floor; absent for none. */
  readonly belowFloor?: bigint;
}

/** Converts a snapshot to the units and prices of its sale. */
export function presentCommitmentData(
  definition: SaleDefinition,
  snapshot: SaleSnapshot,
  parseExtraData: ExtraDataParser,
): CommitmentData {
  const { offeredTokenDecimals, paymentTokenDecimals } = definition;
  return {
    commitments: presentCommitments(definition, snapshot.latest, parseExtraData),
    total: snapshot.total,
    count: snapshot.count,
    paymentTokenDecimals,
    ...(offeredTokenDecimals === undefined ? {} : { offeredTokenDecimals }),
    ...presentClearing(definition, snapshot),
    ...(snapshot.belowFloor === undefined ? {} : { belowFloor: snapshot.belowFloor }),
  };
}

/** Converts commitments to the units and prices of their sale. */
export function presentCommitments(
  definition: SaleDefinition,
  records: readonly CommitmentRecord[],
  parseExtraData: ExtraDataParser,
): readonly PresentedCommitment[] {
  return records.map(commitmentPresenter(definition, parseExtraData));
}

/** Returns a function that converts commitments of a sale to its units and prices. */
export function commitmentPresenter(
  definition: SaleDefinition,
  parseExtraData: ExtraDataParser,
): (record: CommitmentRecord) => PresentedCommitment {
  const normaliser = new AmountNormaliser(definition);
  return (record) => ({
    ...presentPrice(definition, commitmentPrice(record.priceTicks, definition)),
    ...presentRecord(record, normaliser, parseExtraData),
  });
}

function presentRecord(record: CommitmentRecord, normaliser: AmountNormaliser, parseExtraData: ExtraDataParser) {
  const { commitmentId, entityId, createdAtSeconds, extraData } = record;
  const amounts = record.amounts
    .filter(({ amount }) => amount > 0n)
    .map((entry) => ({ ...entry, amount: normaliser.normalise(entry.token, entry.amount) }));
  return { commitmentId, entityId, amounts, createdAtSeconds, extraData, extraDataParsed: parseExtraData(extraData) };
}

/** Converts the clearing tick of an auction to its price; nothing without one. */
export function presentClearing(
  definition: SaleDefinition,
  { clearingTick }: Pick<SaleSnapshot, "clearingTick">,
): { readonly clearing?: PresentedPrice } {
  if (clearingTick === undefined) return {};
  return { clearing: presentPrice(definition, priceOfTicks(clearingTick, definition.priceTick)) };
}

function presentPrice(definition: SaleDefinition, price: Fraction): PresentedPrice {
  if (!quotesMicroUsd(definition)) return { price };
  return { price, microUsd: microUsd(price, definition.paymentTokenDecimals, definition.offeredTokenDecimals) };
}
