import { getAddress, parseEventLogs } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EvmEndpoint } from "../../../common/chains/evm/evm-endpoint.ts";
import { PinnedBlock } from "../../../common/chains/evm/pinned-block.ts";
import { AuctionCourseReader } from "../../../common/contracts/cca/auction-course.ts";
import { readAuctionTerms } from "../../../common/contracts/cca/auction-terms.ts";
import { type AuctionCourse, type BidOutcome, outcomeOf } from "../../../common/contracts/cca/fills/bid-outcome.ts";
import type { Checkpoint } from "../../../common/contracts/cca/fills/checkpoint.ts";
import { Random } from "../../../services/demo/bidders/random.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import {
  type AuctionOptions,
  auctionCall,
  type DeployedAuction,
  deployContinuousAuction,
  mineTo,
  Q96,
  submitBid,
} from "../../support/chains/continuous-auction.ts";
import { evmChain } from "../../support/chains/evm-reader-fixture.ts";
import { revertOf } from "../../support/chains/permit-sale.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { walletOf } from "../../support/databases/sale-rows.ts";
import { demandOf, issuedBefore, type ModelBid, priceOfNow } from "../../support/models/continuous-auction-model.ts";

const END = 2n ** 256n - 1n;
const VERSIONS = ["1.0.0", "1.1.0"] as const;
const { signal } = new AbortController();

/** With blocks that issue nothing, first and last ones too. */
const STEPS = [
  { mps: 0n, blocks: 3n },
  { mps: 123_457n, blocks: 20n },
  { mps: 0n, blocks: 3n },
  { mps: 400_001n, blocks: 15n },
  { mps: 1_530_845n, blocks: 1n },
  { mps: 0n, blocks: 4n },
];

/** An auction on a chain, with the bids that were sent. */
class PlayedAuction {
  readonly bids: ModelBid[] = [];
  /** Outcomes with which bids have left. */
  readonly left = new Map<number, BidOutcome>();
  readonly deployed: DeployedAuction;
  readonly version: AuctionOptions["version"];
  readonly #chain: TestChain;
  readonly #endpoint: EvmEndpoint;
  #reader: AuctionCourseReader | undefined;

  constructor(chain: TestChain, url: string, deployed: DeployedAuction, version: AuctionOptions["version"]) {
    this.#chain = chain;
    this.#endpoint = new EvmEndpoint(evmChain([url]));
    this.deployed = deployed;
    this.version = version;
  }

  head(): Promise<bigint> {
    return this.#chain.client.getBlockNumber({ cacheTime: 0 });
  }

  call<Result>(name: string, ...args: readonly unknown[]): Promise<Result> {
    const request = { ...auctionCall(this.deployed, name, ...args), account: this.#chain.account };
    return this.#chain.client.readContract(request as never) as Promise<Result>;
  }

  async isTaken(name: string, ...args: readonly unknown[]): Promise<boolean> {
    return (await revertOf(this.call(name, ...args)))[0] === "accepted";
  }

  /** Sends a call in a block of its own. @returns the auction's last event in it */
  async send(name: string, ...args: readonly unknown[]) {
    const hash = await this.#chain.send(auctionCall(this.deployed, name, ...args));
    await this.#chain.mine();
    const { logs } = await this.#chain.client.getTransactionReceipt({ hash });
    return parseEventLogs({ abi: this.deployed.abi, logs }).at(-1);
  }

  /** Reads the course at the newest block, with the price of now by all bids. */
  async course(): Promise<AuctionCourse> {
    const { number, hash } = await this.#chain.client.getBlock();
    const pinned = new PinnedBlock(this.#endpoint, this.deployed.address, { number, hash: hash.slice(2) });
    this.#reader ??= new AuctionCourseReader(await readAuctionTerms(pinned, signal));
    const course = await this.#reader.read(pinned, signal);
    if (course === undefined) throw new Error("the auction has too many checkpoints");
    return { ...course, priceOfNow: priceOfNow(this.deployed, this.bids) };
  }

  outcome(course: AuctionCourse, id: number): BidOutcome {
    const { block, maxPrice, amount } = this.bids[id] as ModelBid;
    const startCumulativeMps = issuedBefore(this.deployed, block);
    return outcomeOf(course, { startBlock: block, startCumulativeMps, maxPrice, amount });
  }

  outcomes(course: AuctionCourse): readonly BidOutcome[] {
    return [...this.bids.keys()].map((id) => this.outcome(course, id));
  }

  /** Sends bids and mines them in one block. */
  async bidTogether(...bids: readonly Pick<ModelBid, "maxPrice" | "amount">[]): Promise<void> {
    const block = (await this.head()) + 1n;
    for (const bid of bids) await this.#send({ block, ...bid });
    await this.#chain.mine();
  }

  /** The checkpoints that the contract stores, oldest first. */
  async stored(): Promise<readonly Checkpoint[]> {
    const found: Checkpoint[] = [];
    for (let block = await this.call<bigint>("lastCheckpointedBlock"); block !== 0n; ) {
      const stored = await this.call<Record<string, bigint>>("checkpoints", block);
      const { clearingPrice: price, currencyRaisedAtClearingPriceQ96_X7: raisedAtPrice } = stored;
      const { cumulativeMpsPerPrice: mpsPerPrice, cumulativeMps, prev } = stored;
      found.push({ block, price, raisedAtPrice, mpsPerPrice, mps: BigInt(cumulativeMps ?? 0) } as Checkpoint);
      block = prev ?? 0n;
    }
    return found.reverse();
  }

  /** Sends random bids and mines them in one block, now and then with the price forced between them. */
  async bidBlock(random: Random): Promise<void> {
    const block = (await this.head()) + 1n;
    const isSoldOut = issuedBefore(this.deployed, block) === 10_000_000n;
    const before = priceOfNow(this.deployed, this.bids);
    if (random.next() < 0.2) await this.#chain.send(auctionCall(this.deployed, "checkpoint"));
    for (let left = isSoldOut ? 0 : random.integer(-1, 3); left > 0; left -= 1) await this.#bid(block, before, random);
    const isForced = this.version === "1.1.0" && random.next() < 0.3;
    if (isForced) {
      await this.#chain.send(auctionCall(this.deployed, "forceIterateOverTicks", END));
      if (!isSoldOut) await this.#bid(block, priceOfNow(this.deployed, this.bids), random);
      // A low tick may leave a price above the true one until the next checkpoint.
      const lowest = await this.call<bigint>("nextActiveTickPrice");
      if (lowest !== END) await this.#chain.send(auctionCall(this.deployed, "forceIterateOverTicks", lowest));
    }
    await this.#chain.mine();
    expect(await this.head()).toBe(block);
  }

  async #bid(block: bigint, price: bigint, random: Random): Promise<void> {
    const { tickSpacing, supply } = this.deployed;
    const maxPrice = (price / tickSpacing + BigInt(random.integer(1, 4))) * tickSpacing;
    const share = random.next() < 0.3 ? 3n : 40n;
    const free = 1n + (((supply * price) / Q96) * BigInt(random.integer(0, 1_000))) / 1_000n / share;
    const exact = this.#exactAmount(block, maxPrice);
    const amount = exact > 0n && random.next() < 0.2 ? exact : free;
    await this.#send({ block, maxPrice, amount });
  }

  async #send(bid: ModelBid): Promise<void> {
    await this.#chain.send(submitBid(this.deployed, { ...bid, owner: walletOf(this.bids.length) }));
    this.bids.push(bid);
  }

  /** The amount with which demand and supply meet at a price. */
  #exactAmount(block: bigint, maxPrice: bigint): bigint {
    const demands = this.bids.filter((bid) => bid.maxPrice >= maxPrice).map((bid) => demandOf(this.deployed, bid));
    const missing = this.deployed.supply * maxPrice - demands.reduce((sum, demand) => sum + demand, 0n);
    return (missing * (10_000_000n - issuedBefore(this.deployed, block))) / 10_000_000n / Q96;
  }
}

describe.skipIf(findAnvil() === undefined)("fills of bids, and calls with which they leave (anvil)", () => {
  let anvil: Anvil;
  let chain: TestChain;

  beforeAll(async () => {
    anvil = await startAnvil();
    chain = await TestChain.connect(anvil);
  });
  afterAll(() => anvil?.stop());

  async function started(options: AuctionOptions): Promise<PlayedAuction> {
    const deployed = await deployContinuousAuction(chain, options);
    await chain.mine();
    await mineTo(chain, deployed.startBlock - 1n);
    return new PlayedAuction(chain, anvil.url, deployed, options.version);
  }

  /** Bids at random until the end; now and then bids leave that are outbid. */
  async function play(auction: PlayedAuction, random: Random): Promise<void> {
    const { endBlock } = auction.deployed;
    while ((await auction.head()) < endBlock - 2n) {
      await auction.bidBlock(random);
      if (random.next() < 0.1) await leaveSome(auction, random);
    }
  }

  /** Tries all bids, and lets one leave that can. */
  async function leaveSome(auction: PlayedAuction, random: Random): Promise<void> {
    const course = await auction.course();
    const stored = await auction.stored();
    expect(checkpointsOf(course, stored)).toEqual([...stored, stored.at(-1)]);
    for (const id of auction.bids.keys()) {
      if (random.next() < 0.7 || auction.left.has(id)) continue;
      await leave(
        auction,
        id,
        course,
        stored.map(({ block }) => block),
      );
      // A block was mined, and the exit may have made a checkpoint.
      if (auction.left.has(id)) return;
    }
  }

  /** Lets a bid leave by its outcome, or tries that it can't. Any other checkpoint is refused. */
  async function leave(
    auction: PlayedAuction,
    id: number,
    course: AuctionCourse,
    blocks: readonly bigint[],
  ): Promise<void> {
    const outcome = auction.outcome(course, id);
    const { exit, fill, isCertain } = outcome;
    if (!("call" in exit)) return expectRefused(auction, id, blocks);
    expect(isCertain).toBe(true);
    if (exit.call === "exitPartiallyFilledBid") await expectOthersRefused(auction, id, exit, blocks);
    const hints = exit.call === "exitBid" ? [] : [exit.lastFullyFilledCheckpointBlock, exit.outbidBlock];
    const event = await auction.send(exit.call, BigInt(id), ...hints);
    const owner = getAddress(walletOf(id));
    const args = { bidId: BigInt(id), owner, tokensFilled: fill?.tokens, currencyRefunded: fill?.refund };
    expect(event).toMatchObject({ eventName: "BidExited", args });
    auction.left.set(id, outcome);
  }

  async function expectRefused(auction: PlayedAuction, id: number, blocks: readonly bigint[]): Promise<void> {
    expect(await auction.isTaken("exitBid", BigInt(id))).toBe(false);
    for (const second of [...blocks.slice(-3), 0n]) {
      await expectHintsRefused(
        auction,
        id,
        blocks.map((first) => [first, second]),
      );
    }
  }

  async function expectOthersRefused(
    auction: PlayedAuction,
    id: number,
    hints: { readonly lastFullyFilledCheckpointBlock: bigint; readonly outbidBlock: bigint },
    blocks: readonly bigint[],
  ): Promise<void> {
    const { lastFullyFilledCheckpointBlock: first, outbidBlock: second } = hints;
    const others = (right: bigint) => [...blocks, 0n].filter((block) => block !== right);
    await expectHintsRefused(
      auction,
      id,
      others(first).map((block) => [block, second]),
    );
    await expectHintsRefused(
      auction,
      id,
      others(second).map((block) => [first, block]),
    );
  }

  async function expectHintsRefused(
    auction: PlayedAuction,
    id: number,
    hints: readonly (readonly [bigint, bigint])[],
  ): Promise<void> {
    const taken = hints.map((pair) => auction.isTaken("exitPartiallyFilledBid", BigInt(id), ...pair));
    expect(await Promise.all(taken)).toEqual(hints.map(() => false));
  }

  /** Lets all bids leave, from a block on in which nobody has made the last checkpoint. */
  async function leaveAll(auction: PlayedAuction): Promise<void> {
    await mineTo(chain, auction.deployed.endBlock);
    const before = await auction.stored();
    const course = await auction.course();
    expect(before.map(({ block }) => block)).not.toContain(auction.deployed.endBlock);
    const blocks = [...before.map(({ block }) => block), auction.deployed.endBlock];
    for (const id of auction.bids.keys()) {
      if (!auction.left.has(id)) await leave(auction, id, await auction.course(), blocks);
    }
    await auction.send("checkpoint");
    const after = await auction.stored();
    for (const each of [course, await auction.course()]) {
      expect(checkpointsOf(each, after)).toEqual([...after, after.at(-1)]);
    }
  }

  /** Claims the tokens of all bids that have left, and compares them with their outcomes. */
  async function claimAll(auction: PlayedAuction): Promise<void> {
    await mineTo(chain, auction.deployed.claimBlock);
    for (const [id, { fill }] of auction.left) {
      const event = await auction.send("claimTokens", BigInt(id));
      if (fill?.tokens === 0n) expect(event).toBeUndefined();
      else expect(event).toMatchObject({ eventName: "TokensClaimed", args: { tokensFilled: fill?.tokens } });
    }
  }

  const SETTINGS = VERSIONS.flatMap((version, index) => [
    { version, seed: 30 + index, supply: 54_321n, tickSpacing: Q96 / 7n, isNative: true, required: 0n },
    { version, seed: 40 + index, supply: 1_000n, tickSpacing: Q96, isNative: false, required: 3_000n },
    { version, seed: 50 + index, supply: 10n ** 27n + 7n, tickSpacing: 2n ** 80n / 7n, isNative: false, required: 0n },
  ]);

  it.each(SETTINGS)(
    "are what bids get when they leave, each by its call alone (version $version, supply $supply)",
    async ({ seed, ...options }) => {
      const { tickSpacing } = options;
      const auction = await started({ ...options, floorPrice: 5n * tickSpacing, steps: STEPS });
      await play(auction, new Random(seed));
      await leaveAll(auction);
      await claimAll(auction);
    },
  );

  it.each(VERSIONS)(
    "are known before a checkpoint says that a bid is outbid, its call only afterwards (version %s)",
    async (version) => {
      const auction = await started({ version, supply: 1_000n, steps: STEPS });
      await mineTo(chain, auction.deployed.startBlock + 4n);
      await auction.bidTogether({ maxPrice: 2n * Q96, amount: 900n });
      await mineTo(chain, auction.deployed.startBlock + 8n);
      const outbid = { maxPrice: 3n * Q96, amount: 10n };
      await auction.bidTogether({ maxPrice: 9n * Q96, amount: 9_000n }, outbid);
      const before = auction.outcomes(await auction.course());
      const waiting = { isCertain: true, exit: { waitFor: "checkpoint" } };
      expect(before).toMatchObject([waiting, { isCertain: false, exit: { waitFor: "end" } }, waiting]);
      expect(before[2]?.fill).toEqual({ spentQ96: 0n, tokens: 0n, refund: 10n });
      const blocks = (await auction.stored()).map(({ block }) => block);
      for (const id of [0, 2]) await expectRefused(auction, id, [...blocks, await auction.head()]);
      await auction.send("checkpoint");
      const after = auction.outcomes(await auction.course());
      expect(after.map(({ fill }) => fill)).toEqual(before.map(({ fill }) => fill));
      for (const id of [0, 2]) await leave(auction, id, await auction.course(), [...blocks, await auction.head()]);
      expect([...auction.left.keys()]).toEqual([0, 2]);
    },
  );

  it.each(VERSIONS)("give all back if the auction doesn't graduate (version %s)", async (version) => {
    const terms = { version, supply: 1_000n, required: 10n ** 9n, floorPrice: 5n * Q96, steps: STEPS };
    const auction = await started(terms);
    await play(auction, new Random(60));
    expect(auction.left).toEqual(new Map());
    await leaveAll(auction);
    for (const [id, { fill }] of auction.left) {
      expect(fill).toEqual({ spentQ96: 0n, tokens: 0n, refund: auction.bids[id]?.amount });
    }
  });
});

/** The checkpoints of a course at the blocks of others, and its newest one. */
function checkpointsOf({ checkpoints }: AuctionCourse, others: readonly Checkpoint[]) {
  return [...others.map(({ block }) => checkpoints.at(block)), checkpoints.newest];
}
