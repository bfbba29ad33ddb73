import { describe, expect, it } from "vitest";
import { randomBook, shuffled } from "../../../test/support/sales/random-book.ts";
import { normaliseAmount } from "../figures/amount.ts";
import { allocationsOf } from "./allocations-of.ts";
import { bidsOf } from "./bid.ts";
import { bookOfPlan } from "./book-of-plan.ts";
import { type SettledCommitment, type Settlement, settle } from "./settle.ts";
import type { BookCommitment, SettlementBook, SettlementTerms } from "./settlement-book.ts";
import { planTexts } from "./settlement-json.ts";

const SEEDS = Array.from({ length: 500 }, (_, index) => index);
const USDX = "0xa";
const WALLET = "0x1";

const textOf = (settlement: Settlement) => [...planTexts(settlement)].join("");
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

/** The outcomes of all seeds, as the name of the first that breaks a rule is enough. */
function everyBook(check: (settlement: Settlement, seed: number) => void): void {
  for (const seed of SEEDS) check(settle(randomBook(seed)), seed);
}

const TERMS: SettlementTerms = {
  pricing: { kind: "auction", offeredAmount: 100n, floorTicks: 1n, incrementTicks: 1n },
  priceTick: { numerator: 1n, denominator: 1n },
  paymentTokens: [{ address: USDX, decimals: 6, usdStablecoin: true }],
  paymentTokenDecimals: 6,
};

function bid(id: number, priceTicks: bigint, amount: bigint, entity = id): BookCommitment {
  const [commitmentId, entityId] = [`${id}`.padStart(64, "0"), `${entity}`.padStart(32, "0")];
  return { commitmentId, entityId, priceTicks, amounts: [{ wallet: WALLET, token: USDX, amount }] };
}

function bookOf(commitments: readonly BookCommitment[], others: Partial<SettlementBook> = {}): SettlementBook {
  const input = { saleUuid: "u", generation: 1n, revision: 1n, status: "open" as const };
  return { input, terms: TERMS, refusals: [], limits: [], commitments, ...others };
}

const accepted = (book: SettlementBook) => settle(book).commitments.map((each) => each.accepted);

describe("settle", () => {
  it("accepts all that pays more than the clearing price, and pro rata what is at it", () => {
    const { priceTicks, totals, commitments } = settle(
      bookOf([bid(1, 5n, 150n), bid(2, 3n, 200n), bid(3, 3n, 100n), bid(4, 2n, 900n)]),
    );
    expect(priceTicks).toBe(3n);
    expect(commitments.map(({ side, accepted }) => [side, accepted])).toEqual([
      ["above", 150n],
      ["at", 100n],
      ["at", 50n],
      ["below", 0n],
    ]);
    expect(totals).toMatchObject({ capacity: 300n, above: 150n, at: 300n, accepted: 300n, tokens: 99n });
  });

  it("accepts everything at the floor or above where nothing clears", () => {
    expect(accepted(bookOf([bid(1, 5n, 20n), bid(2, 1n, 30n), bid(3, 0n, 40n)]))).toEqual([20n, 30n, 0n]);
  });

  it("divides the offer among those above the price where the step of the grid leaves too many of them", () => {
    const pricing = { kind: "auction" as const, offeredAmount: 100n, floorTicks: 1n, incrementTicks: 10n };
    const book = bookOf([bid(1, 5n, 100n), bid(2, 5n, 200n), bid(3, 1n, 50n)], { terms: { ...TERMS, pricing } });
    expect(accepted(book)).toEqual([33n, 66n, 0n]);
    expect(settle(book).totals).toMatchObject({ roundingRemainder: 1n, capacity: 100n });
  });

  it("uses an entity's limit up by price, then by ID, and lets others have the room", () => {
    const limits = [{ entityId: "1".padStart(32, "0"), largest: 120n }];
    const commitments = [bid(1, 4n, 100n, 1), bid(2, 5n, 90n, 1), bid(3, 4n, 300n, 3)];
    expect(accepted(bookOf(commitments, { limits }))).toEqual([28n, 90n, 281n]);
  });

  it("accepts nothing of refused entities and wallets, and leaves the price where it is", () => {
    const commitments = [bid(1, 5n, 600n), bid(2, 5n, 100n)];
    const refusals = [{ kind: "entity" as const, entityId: "1".padStart(32, "0"), reason: "r" }];
    expect([settle(bookOf(commitments, { refusals })).priceTicks, accepted(bookOf(commitments, { refusals }))]).toEqual(
      [5n, [0n, 100n]],
    );
    expect(accepted(bookOf(commitments, { refusals: [{ kind: "wallet", wallet: WALLET, reason: "r" }] }))).toEqual([
      0n,
      0n,
    ]);
  });

  it("sells at a fixed price to a bid of 0 or of that price, without a bound where the offer isn't known", () => {
    const fixed = (offeredAmount?: bigint): SettlementTerms => {
      return {
        ...TERMS,
        pricing: { kind: "fixed", priceTicks: 2n, ...(offeredAmount !== undefined && { offeredAmount }) },
      };
    };
    const commitments = [bid(1, 0n, 100n), bid(2, 2n, 100n), bid(3, 9n, 100n), bid(4, 1n, 100n)];
    expect(accepted(bookOf(commitments, { terms: fixed() }))).toEqual([100n, 100n, 100n, 0n]);
    expect(accepted(bookOf(commitments, { terms: fixed(75n) }))).toEqual([50n, 50n, 50n, 0n]);
  });

  it("divides over tokens, the coarse ones first, and says what none of them can express", () => {
    const paymentTokens = [
      ["0xc", 2],
      ["0xf", 8],
    ].map(([address, decimals]) => ({ address: `${address}`, decimals: Number(decimals), usdStablecoin: false }));
    const of = (token: string, amount: bigint) => ({ wallet: WALLET, token, amount });
    const limits = [{ entityId: "1".padStart(32, "0"), largest: 25_001n }];
    const settled = (amounts: BookCommitment["amounts"]) => {
      const pricing = { kind: "fixed" as const, priceTicks: 1n };
      const book = bookOf([{ ...bid(1, 0n, 0n), amounts }], { limits, terms: { ...TERMS, pricing, paymentTokens } });
      const [only] = settle(book).commitments;
      return [only?.amounts.map((each) => each.accepted), only?.accepted];
    };
    // Half of each: 1.25 and 1.25 cents; the coarse token takes one whole cent, the fine one the rest.
    expect(settled([of("0xf", 2_500_000n), of("0xc", 3n)])).toEqual([[1n, 1_500_100n], 25_001n]);
    expect(settled([of("0xc", 3n)])).toEqual([[2n], 20_000n]);
    expect(settled([of("0xf", 2_500_099n)])).toEqual([[2_500_099n], 25_000n]);
    expect(settled([of("0xf", 99n)])).toEqual([[0n], 0n]);
  });

  it("refuses an amount in a token that the sale doesn't list", () => {
    const amounts = [{ wallet: WALLET, token: "0xdead", amount: 1n }];
    expect(() => settle(bookOf([{ ...bid(1, 5n, 0n), amounts }]))).toThrow("0xdead is not a payment token of the sale");
  });
});

describe("the rule, on random books", () => {
  it("never accepts more than was committed, nor more than is eligible", () => {
    everyBook(({ commitments }, seed) => {
      for (const each of commitments) {
        expect(
          each.amounts.every(({ committed, accepted }) => accepted >= 0n && accepted <= committed),
          `${seed}`,
        ).toBe(true);
        expect(
          [each.accepted <= each.share, each.share <= each.eligible, each.eligible <= each.committed],
          `${seed}`,
        ).toEqual([true, true, true]);
      }
    });
  });

  it("never accepts more than the offer costs, and sells no more than the offer", () => {
    everyBook(({ totals, book }, seed) => {
      if (totals.capacity === undefined) return;
      expect(totals.accepted <= totals.capacity, `${seed}`).toBe(true);
      expect(totals.tokens <= (book.terms.pricing.offeredAmount ?? 0n), `${seed}`).toBe(true);
    });
  });

  it("leaves less than its bounds, and fills the offer but for that", () => {
    everyBook(({ totals, commitments, book }, seed) => {
      const sided = (side: SettledCommitment["side"]) =>
        commitments.filter((each) => each.side === side && each.eligible > 0n);
      const bound = BigInt(sided("above").length + sided("at").length);
      expect(totals.roundingRemainder === 0n || totals.roundingRemainder < bound, `${seed}`).toBe(true);
      const { paymentTokenDecimals, paymentTokens } = book.terms;
      const fewest = Math.min(...paymentTokens.map(({ decimals }) => decimals));
      const unit = fewest < paymentTokenDecimals ? 10n ** BigInt(paymentTokenDecimals - fewest) : 1n;
      expect(
        commitments.every(({ share, accepted }) => share - accepted < unit),
        `${seed}`,
      ).toBe(true);
      const wanted = totals.above + totals.at;
      const room = totals.capacity === undefined || wanted < totals.capacity ? wanted : totals.capacity;
      const isCut = totals.capacity !== undefined && wanted > totals.capacity;
      const given = totals.accepted + totals.divisionRemainder + totals.roundingRemainder;
      expect(isCut ? given : totals.accepted + totals.divisionRemainder, `${seed}`).toBe(room);
    });
  });

  it("makes the same plan of any order, and of the plan itself", async () => {
    const texts: string[] = [];
    everyBook((settlement, seed) => {
      const text = textOf(settlement);
      expect(textOf(settle(shuffled(settlement.book, seed + 1)))).toBe(text);
      texts.push(text);
    });
    for (const text of texts) expect(textOf(settle(await bookOfPlan([text])))).toBe(text);
  });

  it("gives an entity with one commitment no less, and others no more, where its limit is raised", () => {
    everyBook(({ book, commitments }, seed) => {
      const [limit, ...others] = book.limits;
      if (limit === undefined) return;
      const raised = settle({
        ...book,
        limits: [...others, { ...limit, largest: limit.largest + BigInt(1 + (seed % 50)) }],
      });
      const share = ({ commitments: all }: Pick<Settlement, "commitments">, isOwn: boolean) =>
        all.filter(({ entityId }) => (entityId === limit.entityId) === isOwn).map((each) => each.share);
      const own = share({ commitments }, true);
      if (own.length === 1) expect(sum(share(raised, true)) >= sum(own), `${seed}`).toBe(true);
      const before = share({ commitments }, false);
      expect(
        share(raised, false).every((each, index) => each <= (before[index] ?? 0n)),
        `${seed}`,
      ).toBe(true);
    });
  });

  it("may give less of a raised limit to an entity with several commitments, by rounding", () => {
    const terms = { ...TERMS, pricing: { kind: "fixed" as const, priceTicks: 1n, offeredAmount: 2n } };
    const bids = [bid(1, 1n, 3n, 1), bid(2, 1n, 1n, 1)];
    const limited = (largest: bigint) =>
      bookOf(bids, { terms, limits: [{ entityId: "1".padStart(32, "0"), largest }] });
    expect([accepted(limited(3n)), accepted(limited(4n))]).toEqual([
      [2n, 0n],
      [1n, 0n],
    ]);
  });

  it("adds up: by token, by allocation and by commitment", () => {
    everyBook(({ book, commitments, totals }, seed) => {
      const { paymentTokens, paymentTokenDecimals } = book.terms;
      const allocations = allocationsOf(commitments);
      for (const { token, accepted } of totals.byToken) {
        expect(sum(allocations.flatMap((each) => (each.token === token ? each.accepted : []))), `${seed}`).toBe(
          accepted,
        );
      }
      const decimals = new Map(paymentTokens.map((token) => [token.address, token.decimals]));
      const worth = commitments.flatMap(({ amounts }) =>
        amounts.map(({ token, accepted }) => normaliseAmount(accepted, decimals.get(token) ?? 0, paymentTokenDecimals)),
      );
      expect(sum(worth), `${seed}`).toBe(totals.accepted);
    });
  });

  it("has the highest price of the grid at which the bids buy the offer", () => {
    everyBook(({ book, priceTicks }, seed) => {
      const { pricing, priceTick } = book.terms;
      if (pricing.kind !== "auction") return;
      const bids = bidsOf(book.commitments, book.terms, []);
      const grid = Array.from({ length: 30 }, (_, step) => pricing.floorTicks + BigInt(step) * pricing.incrementTicks);
      const isBought = (ticks: bigint) => {
        const demand = sum(bids.flatMap((each) => (each.priceTicks >= ticks ? each.committed : [])));
        return demand * priceTick.denominator >= ticks * priceTick.numerator * pricing.offeredAmount;
      };
      expect(priceTicks, `${seed}`).toBe(grid.findLast(isBought) ?? pricing.floorTicks);
    });
  });
});
