import { describe, expect, it } from "vitest";
import { type Bid, Crowd } from "./crowd.ts";
import { AUCTION, type DemoSale, FIXED_PRICE } from "./demo-sales.ts";
import { Random } from "./random.ts";

const ACTIONS = 8_000;
const MAX_BIDDERS = 3_000;

/** Every bid with the one of the same entity before it. */
interface Step {
  readonly bid: Bid;
  readonly before: Bid | undefined;
  readonly now: bigint;
}

function live(sale: DemoSale, seed = 1): readonly Step[] {
  const crowd = new Crowd(sale, new Random(seed));
  const latest = new Map<number, Bid>();
  return Array.from({ length: ACTIONS }, (_, second) => {
    const now = BigInt(second);
    const bid = crowd.act(now);
    const step = { bid, before: latest.get(bid.entity), now };
    latest.set(bid.entity, bid);
    return step;
  });
}

const sumOf = ({ amounts }: Bid) => amounts.reduce((sum, { amount }) => sum + amount, 0n);

describe.each([
  ["auction", AUCTION],
  ["fixed-price sale", FIXED_PRICE],
])("the crowd of the demo %s", (_, sale) => {
  const steps = live(sale);
  const raises = steps.flatMap(({ bid, before }) =>
    before === undefined || before.refunded || bid.refunded ? [] : [{ bid, before }],
  );
  const cancellations = steps.filter(({ bid }) => bid.refunded);

  it("does the same for the same seed", () => {
    expect(live(sale)).toEqual(steps);
    expect(live(sale, 2)).not.toEqual(steps);
  });

  it("raises now and then, cancels seldom, and comes back", () => {
    expect(raises.length).toBeGreaterThan(cancellations.length);
    expect(cancellations.length).toBeGreaterThan(0);
    expect(steps.some(({ bid, before }) => before?.refunded === true && !bid.refunded)).toBe(true);
  });

  it("never lowers a price or an amount", () => {
    for (const { bid, before } of raises) {
      expect(bid.priceTicks).toBeGreaterThanOrEqual(before.priceTicks);
      expect(bid.amounts.length).toBeGreaterThanOrEqual(before.amounts.length);
      for (const [index, { wallet, token, amount }] of before.amounts.entries()) {
        expect(bid.amounts[index]).toMatchObject({ wallet, token });
        expect(bid.amounts[index]?.amount).toBeGreaterThanOrEqual(amount);
      }
    }
  });

  it("takes the amounts to zero with a cancellation, and keeps all else", () => {
    for (const { bid, before } of cancellations) {
      expect(sumOf(bid)).toBe(0n);
      expect(bid).toEqual({ ...before, refunded: true, amounts: bid.amounts });
    }
  });

  it("bids at the time of the action, within the prices and for tokens of the sale", () => {
    for (const { bid, now } of steps.filter(({ bid }) => !bid.refunded)) {
      expect(bid.createdAtSeconds).toBe(now);
      expect(bid.priceTicks >= sale.lowestBid && bid.priceTicks <= sale.highestBid).toBe(true);
      expect(bid.amounts.every(({ token, amount }) => sale.tokens.includes(token) && amount > 0n)).toBe(true);
    }
  });

  it("commits at most 20,000 tokens of a kind", () => {
    const most = 20_000n * sale.oneToken;
    for (const { bid } of steps) expect(bid.amounts.every(({ amount }) => amount <= most)).toBe(true);
  });

  it("counts its entities without gaps", () => {
    const firsts = steps.filter(({ before }) => before === undefined).map(({ bid }) => bid.entity);
    expect(firsts).toEqual(firsts.map((__, index) => index));
  });
});

describe("a crowd", () => {
  it("grows to 3,000 and no further", () => {
    const { bid } = live(AUCTION)[0] ?? { bid: undefined };
    if (bid === undefined) throw new Error("nobody has bid");
    const everyone = Array.from({ length: MAX_BIDDERS }, (_, entity) => ({ ...bid, entity }));
    const crowd = new Crowd(AUCTION, new Random(1), { bids: everyone });
    for (let action = 0; action < 500; action += 1) expect(crowd.act(1n).entity).toBeLessThan(MAX_BIDDERS);
  });

  it("goes on from the bids of an earlier run", () => {
    const first = new Crowd(FIXED_PRICE, new Random(1));
    const placed = [first.act(1n)];
    const again = new Crowd(FIXED_PRICE, new Random(3), { bids: placed });
    const entities = Array.from({ length: 50 }, () => again.act(2n).entity);
    expect(new Set(entities).has(0) && entities.includes(1)).toBe(true);
  });

  it("never cancels where it may not", () => {
    const crowd = new Crowd(AUCTION, new Random(1), { cancels: false });
    const bids = Array.from({ length: ACTIONS }, () => crowd.act(1n));
    expect(bids.some(({ refunded }) => refunded)).toBe(false);
  });
});
