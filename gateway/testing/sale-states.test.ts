import { expect, it } from "vitest";
import { bookOf, whatIf } from "../../common/sale/figures/what-if.ts";
import { saleStates } from "./sale-states.ts";

const STATES = saleStates(1_800_000_000n);

type Price = { readonly numerator?: string; readonly denominator?: string } | undefined;
const named = (name: string, price: Price) => ({
  [`${name}Numerator`]: price?.numerator ?? "",
  [`${name}Denominator`]: price?.denominator ?? "",
});

it.each(["belowFloor", "cleared", "oversubscribed", "biddingEnded", "settled", "openUntimed"] as const)(
  "the demand of the state %s clears at the price that it says",
  (name) => {
    const { sale, data, levels } = STATES[name];
    const facts = {
      OfferedToken: { Amount: sale?.auction?.offeredAmount ?? "" },
      ...named("Floor", sale?.auction?.floorPrice),
      ...named("Increment", sale?.auction?.incrementPrice),
      ...named("PriceTick", sale?.priceTick),
    };
    const curve = (levels ?? []).map(({ lowestPrice, highestPrice, amount }) => ({
      ...named("LowestPrice", lowestPrice),
      ...named("HighestPrice", highestPrice),
      Amount: amount ?? "",
    }));
    const book = bookOf(facts, curve as unknown as Parameters<typeof bookOf>[1]);
    if (book === undefined) throw new Error("the facts make no book");
    // A bid below the floor, which changes nothing.
    const { clearing } = whatIf(book, { ticks: 0n, amount: 1n });
    const said = BigInt(data?.clearingPrice?.microUsd ?? 0);
    expect(clearing).toEqual({ least: said, most: said });
  },
);
