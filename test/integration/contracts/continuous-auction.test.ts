import { type Address, getAddress, parseEventLogs } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../../services/demo/bidders/random.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { freeToken } from "../../../services/demo/chain/free-token.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import {
  type AuctionBid,
  type AuctionOptions,
  auctionCall,
  type DeployedAuction,
  deployContinuousAuction,
  encodedSteps,
  FUNDS_RECIPIENT,
  mineTo,
  Q96,
  storedPrice,
  submitBid,
  TOKENS_RECIPIENT,
} from "../../support/chains/continuous-auction.ts";
import { revertOf } from "../../support/chains/permit-sale.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { walletOf } from "../../support/databases/sale-rows.ts";
import {
  checkpointsAt,
  demandOf,
  fillOf,
  issuedBefore,
  type ModelBid,
  type ModelFill,
  priceOfNow,
} from "../../support/models/continuous-auction-model.ts";

const END = 2n ** 256n - 1n;
const NEWEST = 2n ** 64n - 1n;
const VERSIONS = ["1.0.0", "1.1.0"] as const;
type Version = (typeof VERSIONS)[number];

/** Ten blocks, a tenth of the supply each. */
const EVEN = [{ mps: 1_000_000n, blocks: 10n }];
/** With blocks that issue nothing, first and last ones too. */
const STEPS = [
  { mps: 0n, blocks: 3n },
  { mps: 123_457n, blocks: 20n },
  { mps: 0n, blocks: 2n },
  { mps: 400_001n, blocks: 15n },
  { mps: 5n, blocks: 2n },
  { mps: 1_530_835n, blocks: 1n },
  { mps: 0n, blocks: 4n },
];

/** Bids that were sent, by their IDs, and the blocks of the checkpoints. */
interface Played {
  readonly auction: DeployedAuction;
  readonly bids: readonly ModelBid[];
  readonly blocks: readonly bigint[];
}

describe.skipIf(findAnvil() === undefined)("the contract ContinuousAuction (anvil)", () => {
  let anvil: Anvil;
  let chain: TestChain;

  beforeAll(async () => {
    anvil = await startAnvil();
    chain = await TestChain.connect(anvil);
  });
  afterAll(() => anvil?.stop());

  const head = () => chain.client.getBlockNumber({ cacheTime: 0 });

  /** Reads, or tries a transaction; by default in the newest block. */
  function call<Result>(auction: DeployedAuction, name: string, args: readonly unknown[] = [], block?: bigint) {
    const overrides = block === undefined ? {} : { blockOverrides: { number: block } };
    const request = { ...auctionCall(auction, name, ...args), ...overrides, account: chain.account };
    return chain.client.readContract(request as never) as Promise<Result>;
  }

  const tried = (auction: DeployedAuction, name: string, ...args: readonly unknown[]) =>
    revertOf(call(auction, name, args)).then(([outcome]) => outcome);

  /** `accepted`, or the error that a bid would meet; by default in the newest block. */
  function triedBid(auction: DeployedAuction, bid: Partial<AuctionBid>, block?: bigint) {
    const request = submitBid(auction, { maxPrice: 5n * Q96, amount: 1n, owner: walletOf(1), ...bid });
    const overrides = block === undefined ? {} : { blockOverrides: { number: block } };
    const simulation = chain.client.simulateContract({ ...request, account: chain.account, ...overrides } as never);
    return revertOf(simulation).then(([outcome]) => outcome);
  }

  async function started(options: AuctionOptions): Promise<DeployedAuction> {
    const auction = await deployContinuousAuction(chain, options);
    await chain.mine();
    await mineTo(chain, auction.startBlock - 1n);
    return auction;
  }

  /** Sends bids and mines them in one block. @returns its number */
  async function bidBlock(auction: DeployedAuction, ...bids: readonly AuctionBid[]): Promise<bigint> {
    for (const bid of bids) await chain.send(submitBid(auction, bid));
    await chain.mine();
    return head();
  }

  /** @returns the auction's last event in it */
  const send = async (auction: DeployedAuction, name: string, ...args: readonly unknown[]) => {
    const hash = await chain.send(auctionCall(auction, name, ...args));
    await chain.mine();
    const { logs } = await chain.client.getTransactionReceipt({ hash });
    return parseEventLogs({ abi: auction.abi, logs }).at(-1);
  };

  const balanceOf = (token: Address, account: Address) =>
    BigInt(token) === 0n
      ? chain.client.getBalance({ address: account })
      : chain.client.readContract({ address: token, abi: freeToken.abi, functionName: "balanceOf", args: [account] });

  /** Bids at random until the end, and compares at each block. */
  async function play(options: AuctionOptions, random: Random): Promise<Played> {
    const auction = await started(options);
    const bids: ModelBid[] = [];
    const blocks: bigint[] = [];
    for (let block = auction.startBlock; block < auction.endBlock; block += 1n) {
      const price = priceOfNow(auction, bids);
      const count = issuedBefore(auction, block) === 10_000_000n ? 0 : random.integer(-1, 3);
      const placed = Array.from({ length: Math.max(0, count) }, (_, index) =>
        randomBid(auction, price, walletOf(bids.length + index), random),
      );
      if (random.next() < 0.2) await chain.send(auctionCall(auction, "checkpoint"));
      for (const bid of placed) await chain.send(submitBid(auction, bid));
      const isForced = options.version === "1.1.0" && random.next() < 0.2;
      if (isForced) await chain.send(auctionCall(auction, "forceIterateOverTicks", END));
      await chain.mine();
      expect(await head()).toBe(block);
      bids.push(...placed.map(({ maxPrice, amount }) => ({ block, maxPrice, amount })));
      const lastBlock = await call<bigint>(auction, "lastCheckpointedBlock");
      if (lastBlock === block) blocks.push(block);
      const now = priceOfNow(auction, bids);
      const next = await call<{ clearingPrice: bigint }>(auction, "checkpoint", [], block + 1n);
      const stored = await storedPrice(auction, bids, (name, ...args) => call(auction, name, args));
      expect([next.clearingPrice, stored]).toEqual([now, now]);
      expect(await call(auction, "nextBidId")).toBe(BigInt(bids.length));
      if (isForced) expect(await call(auction, "clearingPrice")).toBe(now);
    }
    await send(auction, "checkpoint");
    return { auction, bids, blocks: [...blocks, auction.endBlock] };
  }

  async function compareCheckpoints({ auction, bids, blocks }: Played): Promise<void> {
    const expected = checkpointsAt(auction, bids, blocks);
    for (const [index, { block, price, raisedAtPrice, mpsPerPrice, mps }] of expected.entries()) {
      expect(await call(auction, "checkpoints", [block])).toEqual({
        clearingPrice: price,
        currencyRaisedAtClearingPriceQ96_X7: raisedAtPrice,
        cumulativeMpsPerPrice: mpsPerPrice,
        cumulativeMps: Number(mps),
        prev: blocks[index - 1] ?? 0n,
        next: blocks[index + 1] ?? NEWEST,
      });
    }
    const last = expected.at(-1);
    expect(await call(auction, "currencyRaised")).toBe(last?.raised);
    expect(await call(auction, "totalCleared")).toBe(last?.cleared);
    expect(await call(auction, "lastCheckpointedBlock")).toBe(auction.endBlock);
  }

  /** Tries every exit with all hints that lie near the right ones, and then exits. @returns the sum of what was filled */
  async function exitAll({ auction, bids, blocks }: Played, version: Version): Promise<bigint> {
    const checkpoints = checkpointsAt(auction, bids, blocks);
    let filled = 0n;
    for (const [id, bid] of bids.entries()) {
      const fill = fillOf(auction, bids, checkpoints, bid, version);
      const bidId = BigInt(id);
      await refuseWrongHints(auction, blocks, bidId, fill);
      if (fill.refund === undefined) continue;
      const owner = getAddress(walletOf(id));
      const before = await balanceOf(auction.currency, owner);
      const args = { bidId, owner, tokensFilled: fill.tokens, currencyRefunded: fill.refund };
      expect(await exit(auction, bidId, fill)).toMatchObject({ eventName: "BidExited", args });
      expect(await tried(auction, "exitBid", bidId)).toBe("BidAlreadyExited");
      expect(await balanceOf(auction.currency, owner)).toBe(before + fill.refund);
      filled += fill.tokens;
    }
    return filled;
  }

  const exit = (auction: DeployedAuction, bidId: bigint, { hints }: ModelFill) =>
    hints === undefined
      ? send(auction, "exitBid", bidId)
      : send(auction, "exitPartiallyFilledBid", bidId, hints[0], hints[1]);

  async function refuseWrongHints(
    auction: DeployedAuction,
    blocks: readonly bigint[],
    bidId: bigint,
    { hints, refund }: ModelFill,
  ): Promise<void> {
    const partially = (...wrong: readonly bigint[]) => tried(auction, "exitPartiallyFilledBid", bidId, ...wrong);
    const last = auction.endBlock;
    if (hints === undefined) {
      for (const block of blocks) expect(await partially(block, 0n)).not.toBe("accepted");
      return;
    }
    expect(await tried(auction, "exitBid", bidId)).toBe("CannotExitBid");
    const [lastFull, outbid] = hints;
    for (const block of [...neighbours(blocks, lastFull), 0n, last, last + 1n]) {
      if (block !== lastFull) expect(await partially(block, outbid)).toBe("InvalidLastFullyFilledCheckpointHint");
    }
    for (const block of [...neighbours(blocks, outbid), 0n, 1n]) {
      if (block !== outbid) expect(await partially(lastFull, block)).not.toBe("accepted");
    }
    if (refund === undefined) expect(await partially(lastFull, outbid)).not.toBe("accepted");
  }

  const RANDOM_SETTINGS = VERSIONS.flatMap((version, index) => [
    { version, isNative: true, seed: 10 + index, supply: 54_321n, tickSpacing: Q96 / 7n },
    { version, isNative: false, seed: 20 + index, supply: 10n ** 27n + 7n, tickSpacing: 2n ** 80n / 7n },
  ]);

  it.each(RANDOM_SETTINGS)(
    "sells and refunds as the naive computation does (version $version, supply $supply, own coin: $isNative)",
    async ({ seed, ...terms }) => {
      const { version, supply } = terms;
      const played = await play({ ...terms, floorPrice: terms.tickSpacing * 5n, steps: STEPS }, new Random(seed));
      const { auction } = played;
      await compareCheckpoints(played);
      const filled = await exitAll(played, version);
      const cleared = await call<bigint>(auction, "totalCleared");
      const raised = await call<bigint>(auction, "currencyRaised");
      expect(filled).toBeLessThanOrEqual(cleared);
      expect(cleared - filled).toBeLessThanOrEqual(BigInt(2 * played.bids.length));
      const received = await balanceOf(auction.currency, FUNDS_RECIPIENT);
      await send(auction, "sweepCurrency");
      expect(await balanceOf(auction.currency, FUNDS_RECIPIENT)).toBe(received + raised);
      await send(auction, "sweepUnsoldTokens");
      expect(await balanceOf(auction.token, TOKENS_RECIPIENT)).toBe(supply - cleared);
    },
  );

  it.each(VERSIONS)(
    "counts a tick's demand once where rounding leaves it short of the price (version %s)",
    async (version) => {
      const auction = await started({ version, supply: 1_000n, steps: EVEN });
      const first = await bidBlock(auction, bidOf(walletOf(71), 2n, 1_000n));
      const [hundred, rest] = [bidOf(walletOf(72), 2n, 100n), bidOf(walletOf(73), 2n, 800n)];
      const second = await bidBlock(auction, hundred, rest);
      const bids = [
        { block: first, maxPrice: 2n * Q96, amount: 1_000n },
        { block: second, maxPrice: 2n * Q96, amount: 100n },
        { block: second, maxPrice: 2n * Q96, amount: 800n },
      ];
      // Two ninths are rounded down.
      const demands = bids.map((bid) => demandOf(auction, bid));
      expect(demands.reduce((sum, demand) => sum + demand)).toBe(2_000n * Q96 - 1n);
      await mineTo(chain, auction.endBlock);
      await send(auction, "checkpoint");
      await compareCheckpoints({ auction, bids, blocks: [first, second, auction.endBlock] });
      expect(await call(auction, "sumCurrencyDemandAboveClearingQ96")).toBe(0n);
    },
  );

  it.each(VERSIONS)("gives tokens once, from the claim block on (version %s)", async (version) => {
    const auction = await started({ version, supply: 1_000n, steps: EVEN });
    await bidBlock(auction, { maxPrice: 2n * Q96, amount: 700n, owner: walletOf(1) });
    await mineTo(chain, auction.endBlock - 1n);
    await send(auction, "exitBid", 0n);
    expect(await tried(auction, "claimTokens", 0n)).toBe("NotClaimable");
    await mineTo(chain, auction.claimBlock);
    const claimed = { bidId: 0n, owner: getAddress(walletOf(1)), tokensFilled: 700n };
    expect(await send(auction, "claimTokens", 0n)).toMatchObject({ eventName: "TokensClaimed", args: claimed });
    expect(await balanceOf(auction.token, walletOf(1))).toBe(700n);
    expect(await call(auction, "bids", [0n])).toMatchObject({ tokensFilled: 0n });
    expect(await send(auction, "claimTokens", 0n)).toBeUndefined();
    expect(await tried(auction, "bids", 1n)).toBe("BidIdDoesNotExist");
  });

  it.each(VERSIONS)("refunds everything if too little is raised (version %s)", async (version) => {
    const auction = await started({ version, supply: 1_000n, steps: EVEN, required: 1_500n });
    const [low, high] = [walletOf(21), walletOf(22)];
    await bidBlock(auction, { maxPrice: 2n * Q96, amount: 300n, owner: low }, bidOf(high, 3n, 400n));
    const outbidAt = await bidBlock(auction, bidOf(high, 9n, 700n));
    await mineTo(chain, auction.startBlock + 5n);
    const early = ["exitPartiallyFilledBid", 0n, auction.startBlock, outbidAt] as const;
    expect(await tried(auction, ...early)).toBe("CannotPartiallyExitBidBeforeGraduation");
    expect(await tried(auction, "exitBid", 0n)).toBe("AuctionIsNotOver");
    await mineTo(chain, auction.claimBlock);
    await send(auction, "exitPartiallyFilledBid", 0n, 0n, 0n);
    expect(await call(auction, "isGraduated")).toBe(false);
    await send(auction, "exitBid", 1n);
    await send(auction, "exitBid", 2n);
    expect([await balanceOf(auction.currency, low), await balanceOf(auction.currency, high)]).toEqual([300n, 1_100n]);
    expect(await tried(auction, "sweepCurrency")).toBe("NotGraduated");
    expect(await tried(auction, "claimTokens", 1n)).toBe("NotGraduated");
    const kept = await balanceOf(auction.token, TOKENS_RECIPIENT);
    await send(auction, "sweepUnsoldTokens");
    expect(await balanceOf(auction.token, TOKENS_RECIPIENT)).toBe(kept + 1_000n);
  });

  it.each(VERSIONS)("takes a bid that its own block has outbid, which gets all back (version %s)", async (version) => {
    const auction = await started({ version, supply: 1_000n, steps: EVEN });
    const loser = bidOf(walletOf(31), 2n, 10n);
    const block = await bidBlock(auction, bidOf(walletOf(32), 8n, 5_000n), loser);
    expect(await call(auction, "clearingPrice")).toBe(Q96);
    expect(await triedBid(auction, { maxPrice: 5n * Q96 }, block + 1n)).toBe("BidMustBeAboveClearingPrice");
    await send(auction, "checkpoint");
    expect(await call(auction, "clearingPrice")).toBe(5n * Q96);
    const event = await send(auction, "exitPartiallyFilledBid", 1n, block, block + 1n);
    expect(event).toMatchObject({ args: { bidId: 1n, tokensFilled: 0n, currencyRefunded: 10n } });
  });

  it.each(VERSIONS)("rounds what a bid spends up, twice (version %s)", async (version) => {
    const auction = await started({ version, supply: 1_000n, steps: EVEN });
    const locked = bidOf(walletOf(41), 2n, 999n);
    await bidBlock(auction, locked, bidOf(walletOf(42), 2n, 1n));
    await mineTo(chain, auction.startBlock + 2n);
    const lastFull = await bidBlock(auction, bidOf(walletOf(43), 2n, 700n));
    await mineTo(chain, auction.endBlock);
    await send(auction, "checkpoint");
    expect(await call(auction, "clearingPrice")).toBe(2n * Q96);
    const hints = [0n, lastFull, 0n] as const;
    if (version === "1.0.0") {
      expect(await tried(auction, "exitPartiallyFilledBid", ...hints)).not.toBe("accepted");
      expect(await tried(auction, "exitBid", 0n)).toBe("CannotExitBid");
    } else {
      const event = await send(auction, "exitPartiallyFilledBid", ...hints);
      expect(event).toMatchObject({ args: { bidId: 0n, currencyRefunded: 0n } });
    }
  });

  it("has a price from the start in version 1.1.0, which may be forced up for the rest of a block", async () => {
    const auction = await started({ version: "1.1.0", supply: 1_000n, steps: EVEN });
    expect(await call(auction, "clearingPrice")).toBe(Q96);
    expect(await tried(auction, "lbpInitializationParams")).toBe("AuctionIsNotOver");
    await chain.send(submitBid(auction, bidOf(walletOf(51), 2n, 1_500n)));
    await chain.send(submitBid(auction, bidOf(walletOf(52), 3n, 1_500n)));
    const event = await send(auction, "forceIterateOverTicks", 2n * Q96);
    expect(event).toMatchObject({ eventName: "ClearingPriceUpdated", args: { clearingPrice: 3n * Q96 } });
    const block = await head();
    expect(await call(auction, "clearingPrice")).toBe(3n * Q96);
    expect(await triedBid(auction, { maxPrice: 3n * Q96 }, block)).toBe("BidMustBeAboveClearingPrice");
    expect(await triedBid(auction, { maxPrice: 3n * Q96 }, block + 1n)).toBe("accepted");
    await send(auction, "checkpoint");
    expect(await call(auction, "clearingPrice")).toBe(2n * Q96);
    await mineTo(chain, auction.endBlock);
    await send(auction, "checkpoint");
    const [tokensSold, currencyRaised] = [await call(auction, "totalCleared"), await call(auction, "currencyRaised")];
    const initial = { initialPriceX96: 2n * Q96, tokensSold, currencyRaised };
    expect(await call(auction, "lbpInitializationParams")).toEqual(initial);
  });

  it("has neither a price nor the new functions in version 1.0.0", async () => {
    const auction = await started({ version: "1.0.0", supply: 1_000n, steps: EVEN });
    expect(await call(auction, "clearingPrice")).toBe(0n);
    expect(await tried(auction, "lbpInitializationParams")).toBe("no named error");
    expect(await tried(auction, "forceIterateOverTicks", END)).toBe("no named error");
  });

  it("takes bids on its ticks, above the price, from its start until its end", async () => {
    const auction = await deployContinuousAuction(chain, { version: "1.0.0", supply: 1_000n, steps: STEPS });
    await chain.mine();
    expect(await tried(auction, "checkpoint")).toBe("AuctionNotStarted");
    await mineTo(chain, auction.startBlock);
    expect(await triedBid(auction, {})).toBe("accepted");
    expect(await triedBid(auction, { amount: 0n })).toBe("InvalidAmount");
    expect(await triedBid(auction, { maxPrice: 5n * Q96 + 1n })).toBe("TickPriceNotAtBoundary");
    expect(await triedBid(auction, { maxPrice: Q96 })).toBe("BidMustBeAboveClearingPrice");
    expect(await triedBid(auction, { maxPrice: 2n ** 160n })).toBe("InvalidBidPriceTooHigh");
    expect(await triedBid(auction, { owner: `0x${"0".repeat(40)}` })).toBe("BidOwnerCannotBeZeroAddress");
    expect(await triedBid(auction, { previousTick: 2n * Q96 })).toBe("InvalidPreviousTick");
    await bidBlock(auction, bidOf(walletOf(61), 2n, 1n), { ...bidOf(walletOf(61), 4n, 1n), previousTick: 2n * Q96 });
    expect(await call(auction, "ticks", [Q96])).toEqual([2n * Q96, 0n]);
    expect(await call(auction, "ticks", [2n * Q96])).toEqual([4n * Q96, Q96]);
    expect(await call(auction, "nextActiveTickPrice")).toBe(2n * Q96);
    await mineTo(chain, auction.endBlock - 2n);
    expect(await triedBid(auction, {})).toBe("AuctionSoldOut");
    await mineTo(chain, auction.endBlock);
    expect(await triedBid(auction, {})).toBe("AuctionIsOver");
  });

  it.each([
    [1_000n, 2n ** 160n - 1n],
    [2n ** 62n, 2n ** 160n - 1n],
    [2n ** 70n, 2n ** 152n],
    [2n ** 100n, 2n ** 108n],
  ])("bounds prices by its supply of %d", async (supply, highest) => {
    const auction = await deployContinuousAuction(chain, { version: "1.0.0", supply, steps: EVEN });
    await chain.mine();
    expect(await call(auction, "MAX_BID_PRICE")).toBe(highest);
  });

  it("keeps its schedule in the code of another account", async () => {
    const auction = await deployContinuousAuction(chain, { version: "1.0.0", supply: 1_000n, steps: STEPS });
    await chain.mine();
    const pointer = await call<Address>(auction, "pointer");
    expect(await chain.client.getCode({ address: pointer })).toBe(`0x00${encodedSteps(STEPS).slice(2)}`);
  });
});

/** A bid at a whole price. */
function bidOf(owner: Address, price: bigint, amount: bigint): AuctionBid {
  return { owner, maxPrice: price * Q96, amount };
}

/** A bid a few ticks above the price, mostly for a small part of the supply and now and then for a large one. */
function randomBid(
  { tickSpacing, supply }: DeployedAuction,
  price: bigint,
  owner: Address,
  random: Random,
): AuctionBid {
  const maxPrice = (price / tickSpacing + BigInt(random.integer(1, 6))) * tickSpacing;
  const share = random.next() < 0.2 ? 3n : 40n;
  const amount = 1n + (((supply * price) / Q96) * BigInt(random.integer(0, 1_000))) / 1_000n / share;
  return { maxPrice, amount, owner };
}

/** A block and those beside it in a list. */
function neighbours(blocks: readonly bigint[], block: bigint): readonly bigint[] {
  const index = blocks.indexOf(block);
  return index < 0 ? blocks.slice(-1) : blocks.slice(Math.max(0, index - 1), index + 2);
}
