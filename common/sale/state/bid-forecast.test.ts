import { expect, it } from "vitest";
import { bidForecast } from "./bid-forecast.ts";
import type { BidState } from "./bid-state.ts";

const forecast = (...bids: readonly (readonly [BidState, bigint])[]) =>
  bidForecast(bids.map(([state, amount]) => ({ state, amount })));

it("says what buys, what comes back and what isn't sure", () => {
  expect(forecast(["in", 1n], ["unrivalled", 2n], ["at_margin", 4n], ["out", 8n], ["below_floor", 16n])).toEqual({
    spent: { least: 3n, most: 7n },
    back: { least: 24n, most: 28n },
  });
});

it("leaves out what doesn't count, and says nothing where nothing does", () => {
  expect(forecast(["in", 1n], ["refunded", 2n], ["no_amount", 0n])).toEqual({
    spent: { least: 1n, most: 1n },
    back: { least: 0n, most: 0n },
  });
  expect(forecast(["refunded", 2n], ["not_counted", 2n])).toBeUndefined();
  expect(forecast()).toBeUndefined();
});

it("doesn't say what comes back where no price does", () => {
  expect(forecast(["counts", 5n])).toEqual({ spent: { least: 0n, most: 5n }, back: undefined });
});

it.each<BidState>(["accepted", "partly_accepted", "not_accepted", "pending", "over"])(
  "says nothing once one is %s",
  (state) => {
    expect(forecast(["in", 1n], [state, 1n])).toBeUndefined();
  },
);
