import type { CommitmentData } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type { Settlement } from "./settle.ts";

/** A figure that the service publishes otherwise than the rule works it out. */
export interface FigureDifference {
  readonly figure: "total" | "count" | "clearing price";
  readonly byRule: string;
  readonly published: string;
}

/**
 * Compares what a settlement begins with, total, count and clearing price, with what the service publishes of the same revision.
 *
 * @returns the differences, none where the settlement is of the figures that everybody has seen
 */
export function figureDifferences(
  { book, priceTicks, totals, commitments }: Settlement,
  published: CommitmentData,
): readonly FigureDifference[] {
  const { priceTick, pricing } = book.terms;
  const price = published.clearingPrice?.price;
  const clearing = pricing.kind === "auction" ? `${priceTicks * priceTick.numerator}/${priceTick.denominator}` : "none";
  const figures: readonly FigureDifference[] = [
    { figure: "total", byRule: `${totals.committed}`, published: published.totalAmount },
    { figure: "count", byRule: `${commitments.length}`, published: `${published.commitmentCount}` },
    {
      figure: "clearing price",
      byRule: clearing,
      published: price === undefined ? "none" : `${price.numerator}/${price.denominator}`,
    },
  ];
  return figures.filter(({ byRule, published: theirs }) => byRule !== theirs);
}
