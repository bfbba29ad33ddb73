import { describe, expect, it } from "vitest";
import { AUCTION, type DemoSale, FIXED_PRICE } from "../sales/demo-sales.ts";
import type { Bid } from "./bid.ts";
import { Random } from "./random.ts";
import { SimulatedBidders } from "./simulated-bidders.ts";

const ACTIONS = 8_000;
const MAX_BIDDERS = 3_000;

/** A bid with the previous one of the same entity. */
interface Step {
  readonly bid: Bid;
  readonly before: Bid | undefined;
  readonly now: bigint;
}

function simulate(sale: DemoSale, seed = 1): readonly Step[] {
  const bidders = new SimulatedBidders(sale, new Random(seed));
  const latest = new Map<number, Bid>();
  return Array.from({ length: ACTIONS }, (_, second) => {
    const now = BigInt(second);
    const bid = bidders.act(now);
    const step = { bid, before: latest.get(bid.entity), now };
    latest.set(bid.entity, bid);
    return step;
  });
}

const sumOf = ({ amounts }: Bid) => amounts.reduce((sum, { amount }) => sum + amount, 0n);

describe.each([
  ["auction", AUCTION],
  ["fixed-price sale", FIXED_PRICE],
])("the simulated bidders of the demo %s", (_, sale) => {
  const steps = simulate(sale);
  const raises = steps.flatMap(({ bid, before }) =>
    before === undefined || before.refunded || bid.refunded ? [] : [{ bid, before }],
  );
  const cancellations = steps.filter(({ bid }) => bid.refunded);

  it("repeat themselves for the same seed", () => {
    expect(simulate(sale)).toEqual(steps);
    expect(simulate(sale, 2)).not.toEqual(steps);
  });

  it("raise sometimes, cancel seldom, and come back", () => {
    expect(raises.length).toBeGreaterThan(cancellations.length);
    expect(cancellations.length).toBeGreaterThan(0);
    expect(steps.some(({ bid, before }) => before?.refunded === true && !bid.refunded)).toBe(true);
  });

  it("never lower a price or an amount", () => {
    for (const { bid, before } of raises) {
      expect(bid.priceTicks).toBeGreaterThanOrEqual(before.priceTicks);
      expect(bid.amounts.length).toBeGreaterThanOrEqual(before.amounts.length);
      for (const [index, { wallet, token, amount }] of before.amounts.entries()) {
        expect(bid.amounts[index]).toMatchObject({ wallet, token });
        expect(bid.amounts[index]?.amount).toBeGreaterThanOrEqual(amount);
      }
    }
  });

  it("set the amounts to zero with a cancellation, and keep everything else", () => {
    for (const { bid, before } of cancellations) {
      expect(sumOf(bid)).toBe(0n);
      expect(bid).toEqual({ ...before, refunded: true, amounts: bid.amounts });
    }
  });

  it("bid at the time of the action, within the price range and for tokens of the sale", () => {
    for (const { bid, now } of steps.filter(({ bid }) => !bid.refunded)) {
      expect(bid.createdAtSeconds).toBe(now);
      expect(bid.priceTicks >= sale.lowestBid && bid.priceTicks <= sale.highestBid).toBe(true);
      expect(bid.amounts.every(({ token, amount }) => sale.tokens.includes(token) && amount > 0n)).toBe(true);
    }
  });

  it("commit at most 20,000 of a token", () => {
    const most = 20_000n * sale.oneToken;
    for (const { bid } of steps) expect(bid.amounts.every(({ amount }) => amount <= most)).toBe(true);
  });

  it("have entities numbered without gaps", () => {
    const firsts = steps.filter(({ before }) => before === undefined).map(({ bid }) => bid.entity);
    expect(firsts).toEqual(firsts.map((__, index) => index));
  });
});

describe("simulated bidders", () => {
  it("are at most 3,000", () => {
    const { bid } = simulate(AUCTION)[0] ?? { bid: undefined };
    if (bid === undefined) throw new Error("nobody has bid");
    const everyone = Array.from({ length: MAX_BIDDERS }, (_, entity) => ({ ...bid, entity }));
    const bidders = new SimulatedBidders(AUCTION, new Random(1), { bids: everyone });
    for (let action = 0; action < 500; action += 1) expect(bidders.act(1n).entity).toBeLessThan(MAX_BIDDERS);
  });

  it("continue from the bids of an earlier run", () => {
    const first = new SimulatedBidders(FIXED_PRICE, new Random(1));
    const placed = [first.act(1n)];
    const again = new SimulatedBidders(FIXED_PRICE, new Random(3), { bids: placed });
    const entities = Array.from({ length: 50 }, () => again.act(2n).entity);
    expect(new Set(entities).has(0) && entities.includes(1)).toBe(true);
  });

  it("never cancel if they may not", () => {
    const bidders = new SimulatedBidders(AUCTION, new Random(1), { cancels: false });
    const bids = Array.from({ length: ACTIONS }, () => bidders.act(1n));
    expect(bids.some(({ refunded }) => refunded)).toBe(false);
  });
});
