import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { CommitmentData } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type { NaiveSale } from "../../support/chains/naive-sale.ts";

/** The public figures of an auction, in a form that can be compared. */
export interface ShownFigures {
  readonly total: string;
  readonly count: bigint;
  /** The numerator of the clearing price. */
  readonly clearingPrice: string | undefined;
  readonly latest: readonly ShownCommitment[];
}

interface ShownCommitment {
  readonly id: string;
  /** The numerator of the price. */
  readonly price: string;
  readonly amounts: readonly string[];
  readonly extraData: string;
}

/** Figures of a response of the service. */
export function figuresShown(data: CommitmentData): ShownFigures {
  return {
    total: data.totalAmount,
    count: data.commitmentCount,
    clearingPrice: data.clearingPrice?.price?.numerator,
    latest: data.commitments.map(({ commitmentId, price, amounts, extraData }) => ({
      id: hexOfBytes(commitmentId),
      price: price?.numerator ?? "",
      amounts: amounts.map(({ amount }) => amount),
      extraData: hexOfBytes(extraData),
    })),
  };
}

/** Figures of a response of a gateway. */
export function figuresPublic(body: PublicFigures): ShownFigures {
  const { Commitments, TotalCommitmentAmount, UniqueCommitmentCount, ClearingPriceNumerator } = body;
  return {
    total: TotalCommitmentAmount,
    count: BigInt(UniqueCommitmentCount),
    clearingPrice: ClearingPriceNumerator,
    latest: Commitments.map(({ CommitmentID, PriceNumerator, Amounts, ExtraDataRaw }) => ({
      id: CommitmentID.slice(2),
      price: PriceNumerator,
      amounts: Amounts.map(({ Amount }) => Amount),
      extraData: ExtraDataRaw.slice(2),
    })),
  };
}

/** The part of a public body that is compared. */
export interface PublicFigures {
  readonly Commitments: readonly {
    readonly CommitmentID: string;
    readonly PriceNumerator: string;
    readonly Amounts: readonly { readonly Amount: string }[];
    readonly ExtraDataRaw: string;
  }[];
  readonly TotalCommitmentAmount: string;
  readonly UniqueCommitmentCount: number;
  readonly ClearingPriceNumerator?: string;
}

/** The expected figures of an auction with one token, whose decimals are those to which the sale normalises. */
export function figuresExpected(sale: NaiveSale): ShownFigures {
  const { total, count, latest, clearingTick } = sale.figures();
  const { numerator } = sale.definition.priceTick;
  const records = new Map(sale.records().map((record) => [record.commitmentId, record]));
  return {
    total: total.toString(),
    count,
    clearingPrice: clearingTick === undefined ? undefined : (clearingTick * numerator).toString(),
    latest: latest.flatMap((id) => {
      const record = records.get(id);
      if (record === undefined) return [];
      const amounts = record.amounts.filter(({ amount }) => amount > 0n).map(({ amount }) => amount.toString());
      const price = (record.priceTicks * numerator).toString();
      return { id, price, amounts, extraData: hexOfBytes(record.extraData) };
    }),
  };
}
