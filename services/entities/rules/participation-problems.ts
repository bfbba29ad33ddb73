import type { SaleFacts } from "../base/sale-facts.ts";

/** The greatest number that JSON holds exactly. Prices and times of a permit never exceed it. */
export const MAX_JSON_INTEGER = 2n ** 53n - 1n;

/** The facts about a sale on which it depends whether permits can be issued for it at all. */
export type PermitFacts = Pick<SaleFacts, "kind" | "pricing" | "paymentTokenDecimals">;

/** Returns why no permits can be issued for a sale, in words; nothing if they can. */
export function participationProblems({ kind, pricing, paymentTokenDecimals }: PermitFacts): readonly string[] {
  const ticks = pricing.kind === "fixed" ? pricing.priceTicks : pricing.floorTicks;
  const price = pricing.kind === "fixed" ? "price" : "lowest price";
  return [
    ...(kind === undefined ? ["the sale has no contract that would check permits"] : []),
    ...(new Set(paymentTokenDecimals).size > 1
      ? ["the payment tokens have different decimals, so one amount can't bound them all"]
      : []),
    ...(ticks > MAX_JSON_INTEGER ? [`the ${price} exceeds 2^53-1 price ticks: choose a larger price tick`] : []),
  ];
}
