import type { Settlement } from "../../../common/sale/settlement/settle.ts";
import type { CommitmentData } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { CommandFailure } from "../base/cli-error.ts";

/**
 * Requires that a settlement begins with what the service publishes of the same revision: total, count and clearing price.
 *
 * @throws CommandFailure that names both figures
 */
export function requirePublished(
  { book, priceTicks, totals, commitments }: Settlement,
  published: CommitmentData,
): void {
  const { priceTick, pricing } = book.terms;
  const price = published.clearingPrice?.price;
  const clearing = pricing.kind === "auction" ? `${priceTicks * priceTick.numerator}/${priceTick.denominator}` : "none";
  const figures = [
    ["total", `${totals.committed}`, published.totalAmount],
    ["count", `${commitments.length}`, `${published.commitmentCount}`],
    ["clearing price", clearing, price === undefined ? "none" : `${price.numerator}/${price.denominator}`],
  ];
  const wrong = figures.flatMap(([name, ours, theirs]) =>
    ours === theirs ? [] : [`${name}: ${ours} by the rule, ${theirs} by the service`],
  );
  if (wrong.length > 0) throw new CommandFailure(["the plan doesn't fit the published figures:", ...wrong].join("\n"));
}
