import { marksRefunds } from "../../../common/sale/definition/contract-family.ts";
import type { Fraction } from "../../../common/sale/definition/fraction.ts";
import { type SaleDefinition, sourceFamily } from "../../../common/sale/definition/sale.ts";
import type { AmountNormaliser } from "../../../common/sale/figures/amount.ts";
import type { CountingClass } from "../../../common/sale/figures/counting-class.ts";
import type { ClassedRecord } from "../../../common/sale/figures/position.ts";
import {
  type AcceptedRecord,
  normaliseAllocations,
  type PositionAllocation,
} from "../../../common/sale/figures/position-allocations.ts";
import { commitmentPrice } from "../../../common/sale/figures/price.ts";
import type { CommitmentRecord } from "../../../common/sale/record/commitment.ts";

/** The part of a commitment that is added up by wallet. */
export type SummedRecord = AcceptedRecord & Pick<CommitmentRecord, "commitmentId" | "priceTicks">;

/** The sums of a wallet in a settled sale, normalised. */
export interface WalletSums {
  /** Its amounts in the commitments that count. */
  readonly committed: bigint;
  readonly accepted: bigint;
  /** Absent where nobody says it. */
  readonly refunded?: bigint;
  /** The different prices of the commitments that count. */
  readonly prices: readonly Fraction[];
}

/** The facts of a sale by which sums are made. */
export interface SummedSale {
  readonly definition: Pick<SaleDefinition, "source" | "pricing" | "priceTick">;
  readonly normaliser: AmountNormaliser;
  /** The counting classes whose commitments are active. */
  readonly active: readonly CountingClass[];
}

/**
 * Adds up the commitments of a wallet.
 *
 * @param allocations what is accepted of the wallet, raw
 */
export function walletSums(
  wallet: string,
  commitments: readonly ClassedRecord<SummedRecord>[],
  allocations: readonly PositionAllocation[],
  { definition, normaliser, active }: SummedSale,
): WalletSums {
  const counted = commitments.filter(({ countingClass }) => active.includes(countingClass));
  const own = counted.flatMap(({ record }) => record.amounts.filter((each) => each.wallet === wallet));
  const normalised = normaliseAllocations(normaliser, allocations);
  const prices = counted.map(({ record }) => commitmentPrice(record.priceTicks, definition));
  return {
    committed: normaliser.sum(own),
    accepted: sumOf(normalised.map(({ accepted }) => accepted)),
    ...(saysRefunds(definition) && { refunded: sumOf(normalised.map(({ refunded = 0n }) => refunded)) }),
    prices: [...new Map(prices.map((price) => [`${price.numerator}/${price.denominator}`, price])).values()],
  };
}

function saysRefunds({ source }: SummedSale["definition"]): boolean {
  return source !== undefined && marksRefunds(sourceFamily(source));
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
