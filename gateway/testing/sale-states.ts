import { createHash } from "node:crypto";
import type { DescMessage, Message, MessageInitShape } from "@bufbuild/protobuf";
import type { SaleAllocationsSchema } from "../../proto/gen/tidemark/commitments/v1/allocation_pb.ts";
import {
  ClearingOutcome,
  type GetPositionResponseSchema,
  type ListWalletAllocationsResponseSchema,
  NotCountedReason,
} from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import {
  FeedFault,
  type SalePresentationSchema,
  SaleStage,
  SaleStatus,
  type SaleSummarySchema,
  Tenancy,
} from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { FakeSale } from "./fake-commitments.ts";
import { worstSale } from "./worst-sale.ts";

/** The wallet whose bids the look-ups of these sales show. */
export const BIDDER = `0x${"ab".repeat(20)}`;
/** The hash of the logo that these sales have. */
export const SALE_LOGO = "ab".repeat(32);

const HOUR = 3_600n;
const DAY = 24n * HOUR;
/** The offered amount: 100 million tokens of 18 decimals. */
const OFFERED = 100_000_000n * 10n ** 18n;
const FLOOR_MICRO_DOLLARS = 100_000n;
const INCREMENT_MICRO_DOLLARS = 1_250n;
const USDC = { address: `0x${"a0".repeat(20)}`, decimals: 6, usdStablecoin: true, symbol: "USDC" };
const BIDS = 8;
/** The longest symbol that there may be. */
const LONG_SYMBOL = "WRAPPEDSTAKEDHARBOURCOMMONWEALTH";
/** Millionths of a dollar for a token by which one of a wallet's bids is below the clearing price. */
const OUT_BY = 21_250n;
/** Millionths of a dollar for a token, at which a wallet bids below the floor. */
const LOW_BID = 50_000n;
/** The amount of that bid, in smallest units: all that is bid below the floor. */
const LOW_AMOUNT = 600_000_000n;
/** Amount that the looked up wallet bids at each of its counted prices, and others as well, in smallest units. */
const OWN_AMOUNT = 450_000_000n;
/** The longest entries of a founder, in words that founders use. */
const LONG_TEXTS = {
  name: "The Deep Water Harbour Extension, Container Terminal and Inland Waterways Token Sale of the Northern and Eastern Ports, with the Locks and Bridges of All Their Rivers",
  description:
    "The port is extended by a deep water quay, two container terminals and the locks that connect it with the inland waterways. ".repeat(
      15,
    ),
  website: `https://deep-water-harbour-and-inland-waterways.example/${"token-sale/".repeat(30)}`,
  symbol: "HARBOURANDINLANDWATERWAYSCOMMONS",
  contact: "questions.about.the.token.sale@deep-water-harbour-and-inland-waterways.example",
  chain: "deep-water-harbour-and-inland-waterways-settlement-chain-test",
};

/** A founder's words about the time after the sale. */
const TERMS: Presentation = {
  claimTerms: "Claim at harbour.example/claim with the wallet that has bid.",
  refundTerms: "Everything that isn’t accepted goes back to the same wallet.",
  vestingTerms: "A quarter at the claim, the rest in twelve equal months.",
};

/** The plain object that a message can be made of. */
type Init<Schema extends DescMessage> = Exclude<MessageInitShape<Schema>, Message>;
type Summary = Init<typeof SaleSummarySchema>;
type Presentation = Init<typeof SalePresentationSchema>;

interface AuctionState extends FakeSale {
  readonly sale: Omit<Summary, "presentation"> & { readonly presentation: Presentation };
  readonly position: Init<typeof GetPositionResponseSchema>;
}

/** Differences from the open auction of these states. */
interface Change {
  readonly sale?: Omit<Summary, "presentation">;
  readonly presentation?: Presentation;
  /** Whole dollars that are bid. */
  readonly dollars?: bigint;
  /** Millionths of a dollar for a token. */
  readonly clearing?: bigint;
  readonly bids?: number;
  readonly feedState?: NonNullable<FakeSale["feedState"]>;
}

/** Makes the sales of the states that a page can show, at a time. @param nowSeconds since 1970 */
export function saleStates(nowSeconds: bigint) {
  const of = (change: Change = {}) => auctionAt(nowSeconds, change);
  const stage = (stage: SaleStage, change: Change = {}) => of({ ...change, sale: { stage, ...change.sale } });
  const [ahead, past, running] = [times(nowSeconds, 2n, 5n), times(nowSeconds, -9n, -1n), times(nowSeconds, -3n, 2n)];
  const planned = { ...running, ...laterTimes(nowSeconds, 2n), ...TERMS };
  const nothing = { dollars: 0n, bids: 0, clearing: FLOOR_MICRO_DOLLARS };
  const settled = { stage: SaleStage.DONE, status: SaleStatus.SETTLED };
  return {
    upcoming: stage(SaleStage.PRE_OPEN, { ...nothing, presentation: ahead }),
    upcomingAnnounced: stage(SaleStage.UNSPECIFIED, { ...nothing, presentation: ahead }),
    openAnnounced: stage(SaleStage.COMMITMENT, { presentation: running }),
    openLate: stage(SaleStage.COMMITMENT, { presentation: past }),
    openEarly: stage(SaleStage.COMMITMENT, { presentation: ahead }),
    openUntimed: of(),
    unknownStage: stage(SaleStage.UNSPECIFIED, { presentation: running }),
    unknownStageOver: stage(SaleStage.UNSPECIFIED, { presentation: past }),
    unknownStageUntimed: stage(SaleStage.UNSPECIFIED),
    empty: of(nothing),
    belowFloor: of({ dollars: 3_241_000n, clearing: FLOOR_MICRO_DOLLARS, presentation: running }),
    cleared: of({ dollars: 14_250_000n, clearing: 131_250n, presentation: planned }),
    oversubscribed: of({ dollars: 57_780_000n, clearing: 213_750n, presentation: running }),
    fixedPrice: fixedPriced(of({ presentation: running })),
    huge: hugeSale(nowSeconds),
    longSymbol: inLongSymbols(of({ dollars: 14_250_000n, clearing: 131_250n, presentation: running })),
    biddingEnded: stage(SaleStage.CLOSED, { dollars: 14_250_000n, clearing: 131_250n, presentation: past }),
    cancelling: stage(SaleStage.CANCELLATION, {
      ...{ dollars: 14_250_000n, clearing: 131_250n },
      presentation: { ...past, ...laterTimes(nowSeconds, -1n) },
    }),
    settling: stage(SaleStage.SETTLEMENT, { dollars: 14_250_000n, clearing: 131_250n, presentation: past }),
    settled: allocated(of({ sale: settled, dollars: 14_250_000n, clearing: 131_250n, presentation: past })),
    settledBelowFloor: of({ sale: settled, dollars: 3_241_000n, presentation: past }),
    test: of({ sale: { tenancy: Tenancy.TEST }, presentation: running }),
    withoutLogo: of({ presentation: { ...running, logo: "" } }),
    stale: of({ presentation: running, feedState: feedAt(nowSeconds - 5n * HOUR, FeedFault.UNREADABLE) }),
    late: of({ presentation: running, feedState: feedAt(nowSeconds - 600n, FeedFault.LATE) }),
  } satisfies Readonly<Record<string, FakeSale>>;
}

function times(now: bigint, opensInDays: bigint, closesInDays: bigint): Presentation {
  return { opensAtSeconds: now + opensInDays * DAY + 5n * HOUR, closesAtSeconds: now + closesInDays * DAY + HOUR };
}

/** Returns the times around those of `times`, by the day on which bidding closes. */
function laterTimes(now: bigint, closesInDays: bigint): Presentation {
  const at = (days: bigint) => now + (closesInDays + days) * DAY + 2n * HOUR;
  return {
    ...{ announcedAtSeconds: at(-20n), cancelUntilSeconds: at(3n), settlesAtSeconds: at(5n) },
    ...{ claimsAtSeconds: at(9n), refundedBySeconds: at(7n), vestedBySeconds: at(370n) },
  };
}

function feedAt(seconds: bigint, fault: FeedFault = FeedFault.UNSPECIFIED): NonNullable<FakeSale["feedState"]> {
  const position = { height: 19_000_000n, hash: new Uint8Array(32).fill(7) };
  return {
    asOf: { position, blockTime: { seconds }, lastSuccess: { seconds: seconds + 3n } },
    chain: { chainId: 1n, contractUrl: `https://explorer.example/address/0x${"c2".repeat(20)}` },
    fault,
  };
}

function auctionAt(now: bigint, change: Change): AuctionState {
  const { dollars = 8_420_000n, bids = BIDS, clearing = FLOOR_MICRO_DOLLARS, feedState = feedAt(now) } = change;
  const total = dollars * 1_000_000n;
  const sale = {
    name: "Harbour Token",
    status: SaleStatus.OPEN,
    tenancy: Tenancy.LIVE,
    stage: SaleStage.COMMITMENT,
    amountsAreDollars: true,
    paymentTokens: [USDC],
    paymentTokenDecimals: 6,
    paymentSymbol: "USDC",
    offeredTokenDecimals: 18,
    auction: {
      ...{ offeredAmount: String(OFFERED), floorPrice: priceOf(FLOOR_MICRO_DOLLARS) },
      incrementPrice: priceOf(INCREMENT_MICRO_DOLLARS),
    },
    priceTick: priceOf(1n),
    source: { case: "evm" as const, value: { chain: "ethereum", contract: `0x${"c2".repeat(20)}` } },
    ...change.sale,
    presentation: {
      description: "Harbour pays for berths and cranes.\n\nA fifth of all tokens is sold here, in one auction.",
      website: "https://harbour.example/sale",
      contact: "help@harbour.example",
      offeredTokenSymbol: "HRBR",
      logo: SALE_LOGO,
      totalSupply: String(5n * OFFERED),
      ...change.presentation,
    },
  };
  const commitments = Array.from({ length: bids }, (_, index) => commitmentAt(now, index, total / BigInt(bids)));
  const price = { price: priceOf(clearing), microUsd: String(clearing) };
  const commitmentCount = BigInt(bids) * 51n;
  const data = {
    commitments,
    totalAmount: String(total),
    belowFloorAmount: bids === 0 ? "0" : String(LOW_AMOUNT),
    commitmentCount,
    paymentTokenDecimals: 6,
    offeredTokenDecimals: 18,
    clearingPrice: price,
  };
  const undersubscribed = (total - LOW_AMOUNT) * 10n ** 18n < OFFERED * clearing;
  const own = { commitments: ownBids(now, clearing, undersubscribed), undersubscribed };
  const position = { wallet: BIDDER, ...own, paymentTokenDecimals: 6, clearingPrice: price };
  return {
    ...{ generation: 1n, revision: 1n, sale, data, feedState, position },
    points: pointsUntil(now, total, commitmentCount, price),
    levels: levelsOf(total, clearing),
  };
}

/** Returns a price in smallest units: millionths of a dollar for a token of 18 decimals. */
function priceOf(microDollars: bigint) {
  return { numerator: String(microDollars), denominator: String(10n ** 18n) };
}

function bytesOf(text: string, length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(text).digest().subarray(0, length));
}

function commitmentAt(now: bigint, index: number, mean: bigint) {
  const [wallet, share] = [Buffer.from(bytesOf(`wallet ${index}`, 20)).toString("hex"), BigInt((index * 7) % 11)];
  return {
    commitmentId: bytesOf(`bid ${index}`, 32),
    entityId: bytesOf(`entity ${index}`, 16),
    price: priceOf(FLOOR_MICRO_DOLLARS + BigInt((index * 13) % 17) * 10_000n),
    priceMicroUsd: String(FLOOR_MICRO_DOLLARS + BigInt((index * 13) % 17) * 10_000n),
    amounts: [{ wallet: `0x${wallet}`, token: USDC.address, amount: String((mean * (share + 1n)) / 6n) }],
    createdAtSeconds: now - BigInt(index) * 437n,
  };
}

/** Returns a bid of each kind that a wallet can have at a clearing price, in millionths of a dollar. */
function ownBids(now: bigint, clearing: bigint, isUndersubscribed: boolean) {
  const bid = (index: number, microDollars: bigint) => ({
    ...commitmentAt(now, index, 0n),
    price: priceOf(microDollars),
    amounts: [{ wallet: BIDDER, token: USDC.address, amount: String(BigInt(index) * 150_000_000n) }],
  });
  const counted = (index: number, microDollars: bigint) => ({
    commitment: bid(index, microDollars),
    clearingOutcome: outcomeOf(microDollars, clearing, isUndersubscribed),
  });
  return [
    counted(1, 300_000n),
    counted(2, clearing),
    counted(3, clearing - OUT_BY),
    counted(4, LOW_BID),
    { commitment: bid(5, 300_000n), notCountedReason: NotCountedReason.REFUNDED },
  ];
}

function outcomeOf(microDollars: bigint, clearing: bigint, isUndersubscribed: boolean): ClearingOutcome {
  if (microDollars < FLOOR_MICRO_DOLLARS) return ClearingOutcome.BELOW_FLOOR;
  if (microDollars < clearing) return ClearingOutcome.OUT;
  return microDollars > clearing || isUndersubscribed ? ClearingOutcome.IN : ClearingOutcome.AT_MARGIN;
}

function pointsUntil(
  now: bigint,
  total: bigint,
  count: bigint,
  clearingPrice: object,
): NonNullable<FakeSale["points"]> {
  const hours = 48n;
  return Array.from({ length: Number(hours) }, (_, index) => ({
    fromSeconds: now - (hours - BigInt(index)) * HOUR,
    seconds: 3_600,
    totalAmount: String((total * BigInt(index + 1)) / hours),
    commitmentCount: (count * BigInt(index + 1)) / hours,
    clearingPrice,
  }));
}

/**
 * Returns the amounts of twelve prices from the floor up: the same each where that clears at the floor, else with as much above the
 * clearing price as the offer costs at it, less half of the looked up wallet's bid there.
 */
function spread(amount: bigint, clearing: bigint): readonly (readonly [microDollars: bigint, amount: bigint])[] {
  const prices = Array.from({ length: 12 }, (_, index) => FLOOR_MICRO_DOLLARS + BigInt(index) * 20_000n);
  if (clearing === FLOOR_MICRO_DOLLARS) return prices.map((price) => [price, amount / 12n]);
  const above = (OFFERED * clearing) / 10n ** 18n - OWN_AMOUNT / 2n;
  const higher = BigInt(prices.filter((price) => price > clearing).length);
  return prices.map((price) => [price, price > clearing ? above / higher : (amount - above) / (12n - higher)]);
}

/** Returns twelve prices from the floor up, the bids of the looked up wallet, and the bid below the floor. */
function levelsOf(total: bigint, clearing: bigint): NonNullable<FakeSale["levels"]> {
  if (total === 0n) return [];
  const own = [clearing, clearing - OUT_BY].filter((price) => price >= FLOOR_MICRO_DOLLARS);
  const amounts = new Map([[LOW_BID, LOW_AMOUNT], ...own.map((price) => [price, OWN_AMOUNT] as const)]);
  const rest = total - LOW_AMOUNT - OWN_AMOUNT * BigInt(own.length);
  for (const [price, amount] of spread(rest, clearing)) amounts.set(price, amount + (amounts.get(price) ?? 0n));
  let cumulative = 0n;
  return [...amounts]
    .sort(([one], [other]) => (one > other ? -1 : 1))
    .map(([microDollars, amount]) => {
      cumulative += amount;
      const price = priceOf(microDollars);
      return {
        ...{ lowestPrice: price, highestPrice: price, commitmentCount: 34n },
        amount: String(amount),
        cumulativeAmount: String(cumulative),
      };
    });
}

function fixedPriced({ sale, data, ...rest }: AuctionState): FakeSale {
  const { auction: _, ...others } = sale;
  const { clearingPrice: __, ...figures } = data;
  const summary = { ...others, fixedPrice: priceOf(250_000n), offeredAmount: String(OFFERED) };
  return { ...rest, sale: summary, data: figures };
}

/** Returns the largest figures that there may be, with a founder's longest words and a wallet that has bid. */
function hugeSale(now: bigint): FakeSale {
  const huge = worstSale(1n);
  const { presentation, ...sale } = huge.sale as Summary & { readonly presentation: Presentation };
  const { name, symbol, chain, ...texts } = LONG_TEXTS;
  const told = { ...presentation, ...texts, offeredTokenSymbol: symbol };
  const tokens = sale.paymentTokens?.map((token) => ({ ...token, symbol: LONG_SYMBOL }));
  const source = { case: "evm" as const, value: { chain, contract: `0x${"c2".repeat(20)}` } };
  const amounts = [{ wallet: BIDDER, token: USDC.address, amount: String(2n ** 255n) }];
  const commitment = { ...commitmentAt(now, 1, 0n), amounts };
  const { clearingPrice } = huge.data ?? {};
  return {
    ...huge,
    sale: { ...sale, name, source, ...(tokens && { paymentTokens: tokens }), presentation: told },
    position: {
      ...{ wallet: BIDDER, paymentTokenDecimals: 18, undersubscribed: true, ...(clearingPrice && { clearingPrice }) },
      commitments: [{ commitment, clearingOutcome: ClearingOutcome.IN }],
    },
  };
}

/** Names both tokens by the longest symbol that there may be. */
function inLongSymbols({ sale, ...rest }: AuctionState): FakeSale {
  const paymentTokens = [{ ...USDC, usdStablecoin: false, symbol: LONG_SYMBOL }];
  const symbols = { amountsAreDollars: false, paymentTokens, paymentSymbol: LONG_SYMBOL };
  return {
    ...rest,
    sale: { ...sale, ...symbols, presentation: { ...sale.presentation, offeredTokenSymbol: LONG_SYMBOL } },
  };
}

/** Adds what a settled sale accepted, of everybody and of the wallet that is looked up. */
function allocated(settled: AuctionState): FakeSale {
  const { sale, position } = settled;
  const accepted = [{ token: USDC.address, amount: "10000000000000" }];
  const saleAllocations = { accepted, total: "10000000000000", differs: false };
  const allocations = [1, 2].map((index) => ({
    entityId: bytesOf(`entity ${index}`, 16),
    token: USDC.address,
    accepted: String(BigInt(index) * 100_000_000n),
    refunded: String(BigInt(index) * 50_000_000n),
  }));
  return {
    ...settled,
    sale: { ...sale, allocations: saleAllocations },
    position: { ...position, allocations, saleAllocations },
    allocations: {
      ...listOf(saleAllocations),
      ...(position.clearingPrice && { clearingPrice: position.clearingPrice }),
    },
  };
}

/** Returns a page of all allocations: some wallets, one of them with more commitments than are added up, and a page after it. */
function listOf(saleAllocations: Init<typeof SaleAllocationsSchema>): Init<typeof ListWalletAllocationsResponseSchema> {
  const wallets = Array.from({ length: 12 }, (_, index) => {
    const committed = BigInt(1 + ((index * 7) % 11)) * 1_234_567_891n;
    const accepted = index % 4 === 3 ? 0n : (committed * 2n) / 3n;
    const sums = { committed: String(committed), accepted: String(accepted), refunded: String(committed - accepted) };
    const wallet = `0x${Buffer.from(bytesOf(`wallet ${index}`, 20)).toString("hex")}`;
    return index === 5 ? { wallet } : { wallet, sums };
  });
  return {
    ...{ generation: 1n, revision: 1n, paymentTokenDecimals: 6, nextPageToken: "bmV4dA", saleAllocations },
    wallets: wallets.toSorted((one, other) => (one.wallet < other.wallet ? -1 : 1)),
  };
}
