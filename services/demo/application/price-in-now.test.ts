import { expect, it } from "vitest";
import { AUCTION, FIXED_PRICE } from "../sales/demo-sales.ts";
import { priceInNow } from "./price-in-now.ts";
import type { Visit } from "./visits.ts";

/** A visit with a permit from 100 ticks. */
function visit(ClearingPriceNumerator?: string): Pick<Visit, "permit" | "position"> {
  return { permit: { permit: { PermitJSON: { MinPrice: 100 } } }, position: { ClearingPriceNumerator } } as never;
}

it.each([
  ["the next above the clearing price", AUCTION, visit("395"), 400n],
  ["above the floor, too, where nothing clears yet", AUCTION, visit("100"), 105n],
  ["never less than the permit allows", AUCTION, visit("20"), 100n],
  ["the permit’s lowest while the clearing price isn’t known", AUCTION, visit(), 100n],
  ["the permit’s lowest at a fixed price", FIXED_PRICE, visit("395"), 100n],
  ["anything without a permit", AUCTION, {}, 0n],
])("is %s", (_, sale, of, expected) => expect(priceInNow(sale, of)).toBe(expected));
