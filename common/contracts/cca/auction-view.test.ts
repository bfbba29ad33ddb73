import { keccak256, toEventSelector, zeroAddress } from "viem";
import { describe, expect, it } from "vitest";
import { type AnsweredBid, answerAuction, type FakeAuction } from "../../../test/support/chains/auction-answers.ts";
import { Q96 } from "../../../test/support/chains/continuous-auction.ts";
import { FakeEvmChain } from "../../../test/support/chains/evm-chain.ts";
import {
  blockTime,
  CONTRACT,
  EvmNode,
  type Interference,
  type RpcRequest,
} from "../../../test/support/chains/evm-node.ts";
import { evmChain, ReaderFixture } from "../../../test/support/chains/evm-reader-fixture.ts";
import { ModelStore } from "../../../test/support/models/model-store.ts";
import { BlockTimes } from "../../chains/evm/block-times.ts";
import { EvmEndpoint } from "../../chains/evm/evm-endpoint.ts";
import { PinnedBlock } from "../../chains/evm/pinned-block.ts";
import { mayFitIfSmaller } from "../../chains/evm/rpc-fault.ts";
import { auctionBidsCode } from "./auction-bids-code.ts";
import { CCA_FAMILY } from "./cca-family.ts";
import { ALL_MPS, type Checkpoint } from "./fills/checkpoint.ts";

const { signal } = new AbortController();
const OWNER = `0x${"ab".repeat(19)}0c` as const;

/** Bids in block 101, when a quarter is issued. */
function bids(count: number): readonly AnsweredBid[] {
  return Array.from({ length: count }, (_, id) => ({
    maxPrice: (2n + BigInt(id)) * Q96,
    amountQ96: 7n * Q96,
    owner: OWNER,
    startBlock: 101n,
    startCumulativeMps: 2_500_000,
  }));
}

type Interfere = (request: RpcRequest) => Interference | undefined;

/** A view of an auction from block 100 to 110, in block 105 of its chain. */
class ViewedAuction implements AsyncDisposable {
  readonly chain: FakeEvmChain;
  readonly node: EvmNode;
  readonly endpoint: EvmEndpoint;
  auction: FakeAuction;
  interfere: Interfere = () => undefined;
  readonly view: Awaited<ReturnType<(typeof CCA_FAMILY)["view"]>>;

  private constructor(chain: FakeEvmChain, node: EvmNode, endpoint: EvmEndpoint, view: ViewedAuction["view"]) {
    this.chain = chain;
    this.node = node;
    this.endpoint = endpoint;
    this.view = view;
    this.auction = { bids: bids(3), terms: {} };
    node.behaviour.interfere = (request) => this.interfere(request) ?? answerAuction(this.auction, request, this.chain);
  }

  static async start(): Promise<ViewedAuction> {
    const chain = new FakeEvmChain();
    while (chain.head.number < 130n) chain.mine();
    const node = await EvmNode.start(chain);
    const endpoint = new EvmEndpoint(evmChain([node.url]));
    const view = await CCA_FAMILY.view({ use: "again", times: new BlockTimes(endpoint) });
    return new ViewedAuction(chain, node, endpoint, view);
  }

  at(number: bigint): PinnedBlock {
    const { hash = "" } = this.chain.at(number) ?? {};
    return new PinnedBlock(this.endpoint, CONTRACT, { number, hash });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.node[Symbol.asyncDispose]();
  }
}

describe("the view of an auction", () => {
  it("has a row for each bid, with the demand of what was left to be issued", async () => {
    await using viewed = await ViewedAuction.start();
    expect(await viewed.view.rows(viewed.at(105n), { from: 1n, to: 3n }, signal)).toEqual(
      [1n, 2n].map((id) => ({
        commitmentId: id.toString().padStart(64, "0"),
        entityId: keccak256(OWNER).slice(2, 34),
        createdAtSeconds: blockTime(101n),
        priceTicks: (2n + id) * Q96,
        lockup: false,
        refunded: false,
        amounts: [{ wallet: OWNER, token: zeroAddress, amount: 7n }],
        extraData: new Uint8Array(),
        sourceIndex: id,
        demand: (7n * Q96 * 4n) / 3n,
      })),
    );
  });

  it("has as many rows as a range, in calls of up to 255 bids", async () => {
    await using viewed = await ViewedAuction.start();
    viewed.auction = { bids: bids(600), terms: {} };
    for (const [from, to, calls] of [
      [0n, 0n, 1],
      [0n, 255n, 1],
      [0n, 256n, 2],
      [90n, 600n, 2],
    ] as const) {
      await viewed.view.facts(viewed.at(105n), signal);
      const before = viewed.node.count("eth_call");
      const rows = await viewed.view.rows(viewed.at(105n), { from, to }, signal);
      expect(rows.map(({ sourceIndex }) => sourceIndex)).toEqual(
        Array.from({ length: Number(to - from) }, (_, index) => from + BigInt(index)),
      );
      expect(viewed.node.count("eth_call") - before).toBe(calls);
    }
  });

  it("fails so that the reader asks for less where bids are too many for the node", async () => {
    await using viewed = await ViewedAuction.start();
    viewed.auction = { bids: bids(30), terms: {}, maxBids: 10 };
    const reading = (to: bigint) => viewed.view.rows(viewed.at(105n), { from: 0n, to }, signal);
    expect(mayFitIfSmaller(await reading(11n).catch((error: unknown) => error))).toBe(true);
    expect(await reading(10n)).toHaveLength(10);
  });

  it.each([
    [99n, 0],
    [100n, 1],
    [109n, 1],
    [110n, 2],
    [114n, 2],
    [115n, 3],
  ])("numbers its stage in block %i by the block: %i", async (block, stageNumber) => {
    await using viewed = await ViewedAuction.start();
    const count = block < 101n ? 0n : 3n;
    expect(await viewed.view.facts(viewed.at(block), signal)).toEqual({ count, stageNumber });
  });

  it("isn't open while the auction awaits its tokens, and asks for that only without bids", async () => {
    await using viewed = await ViewedAuction.start();
    const stageIn = async (block: bigint) => (await viewed.view.facts(viewed.at(block), signal)).stageNumber;
    viewed.auction = { bids: [], terms: { awaitsTokens: true } };
    expect([await stageIn(99n), await stageIn(100n), await stageIn(105n)]).toEqual([0, 0, 0]);
    viewed.auction = { bids: [], terms: {} };
    expect(await stageIn(106n)).toBe(1);
    const before = viewed.node.count("eth_call");
    expect([await stageIn(107n), viewed.node.count("eth_call") - before]).toEqual([1, 1]);
    viewed.auction = { bids: bids(1), terms: { awaitsTokens: true } };
    expect(await stageIn(108n)).toBe(1);
  });

  it("is over at its end, whether its tokens have come or not", async () => {
    await using viewed = await ViewedAuction.start();
    viewed.auction = { bids: [], terms: { awaitsTokens: true } };
    const { view } = viewed;
    expect((await view.facts(viewed.at(109n), signal)).stageNumber).toBe(0);
    expect((await view.facts(viewed.at(110n), signal)).stageNumber).toBe(2);
  });

  it("asks for its terms once, and again with the version, which a sweep asks for", async () => {
    await using viewed = await ViewedAuction.start();
    const calls = async (ask: () => Promise<unknown>) => {
      const before = viewed.node.count("eth_call");
      await ask();
      return viewed.node.count("eth_call") - before;
    };
    const { view } = viewed;
    await view.count(viewed.at(105n), signal);
    expect(await calls(() => view.facts(viewed.at(105n), signal))).toBe(2);
    expect(await calls(() => view.facts(viewed.at(106n), signal))).toBe(1);
    const sweep = (pinned: PinnedBlock) => Promise.all([view.facts(pinned, signal), view.release(pinned, signal)]);
    expect(await calls(() => sweep(viewed.at(107n)))).toBe(2);
    viewed.auction = { ...viewed.auction, terms: { currency: OWNER } };
    expect(await view.release(viewed.at(108n), signal)).toBeUndefined();
    expect(await view.paymentTokens(viewed.at(108n), signal)).toEqual([OWNER]);
  });

  it("works again after its terms couldn't be read", async () => {
    await using viewed = await ViewedAuction.start();
    viewed.interfere = ({ params: [call] }) =>
      Object(call).to === undefined ? { kind: "status", status: 401 } : undefined;
    await expect(viewed.view.facts(viewed.at(105n), signal)).rejects.toThrow("valid key");
    viewed.interfere = () => undefined;
    const other = new EvmEndpoint(evmChain([viewed.node.url]));
    const { hash = "" } = viewed.chain.at(105n) ?? {};
    const pinned = new PinnedBlock(other, CONTRACT, { number: 105n, hash });
    expect(await viewed.view.facts(pinned, signal)).toEqual({ count: 3n, stageNumber: 1 });
  });
});

/** Checkpoints with the prices of an auction, each times 2^96 / 2, after the bids' own. Nothing but the part of the supply depends on their blocks. */
function checkpoints(...halves: readonly bigint[]): readonly Checkpoint[] {
  return [2n, ...halves].map((half, index) => {
    const [block, mps] = [101n + 3n * BigInt(index), 2_500_000n * BigInt(index + 1)];
    return { block, price: (half * Q96) / 2n, raisedAtPrice: 0n, mpsPerPrice: mps, mps };
  });
}

describe("what an auction accepts", () => {
  /** The price rises above that of the first bid, and then above that of the second. */
  const OVER = {
    checkpoints: checkpoints(2n, 5n, 7n),
    ticks: [{ price: Q96, demand: 0n }],
    isGraduated: true,
    storedBlock: 107n,
  };
  const acceptedAt = async (viewed: ViewedAuction, number: bigint) => {
    const { view } = viewed;
    const pinned = viewed.at(number);
    const { totals, problem } = await view.allocationFacts(pinned, 3n, signal);
    if (totals === undefined) return problem;
    const [rows, allocations] = await Promise.all([
      view.rows(pinned, { from: 0n, to: 3n }, signal),
      view.allocations(pinned, { from: 0n, to: 3n }, signal),
    ]);
    expect(allocations.map(({ commitmentId, entityId }) => ({ commitmentId, entityId }))).toEqual(
      rows.map(({ commitmentId, entityId }) => ({ commitmentId, entityId })),
    );
    return { totals, each: allocations.map(({ accepted }) => accepted[0]?.amount) };
  };

  it("is what bids spend, rounded up, and its total the sum of that", async () => {
    await using viewed = await ViewedAuction.start();
    viewed.auction = { bids: bids(3), terms: {}, course: OVER };
    // A third is issued below the price of the first bid, two thirds below that of the second, all below that of the third.
    const expected = { totals: new Map([[zeroAddress, 15n]]), each: [3n, 5n, 7n] };
    expect(await acceptedAt(viewed, 110n)).toEqual(expected);
  });

  it("is read once, with the bids of the rows, and in parts that a node answers", async () => {
    await using viewed = await ViewedAuction.start();
    viewed.auction = { bids: bids(3), terms: {}, course: OVER, maxBids: 2 };
    const ranges = () => viewed.node.requests.filter(({ params: [call] }) => isCallOfBids(call)).length;
    const facts = (number: bigint) => viewed.view.allocationFacts(viewed.at(number), 3n, signal);
    await facts(110n);
    // Three at once, then one by one.
    expect(ranges()).toBe(4);
    await facts(111n);
    expect(ranges()).toBe(4);
    const range = { from: 0n, to: 2n };
    await Promise.all([
      viewed.view.rows(viewed.at(111n), range, signal),
      viewed.view.allocations(viewed.at(111n), range, signal),
    ]);
    expect(ranges()).toBe(5);
  });

  it("is nothing where too little was raised", async () => {
    await using viewed = await ViewedAuction.start();
    viewed.auction = { bids: bids(3), terms: {}, course: { ...OVER, isGraduated: false } };
    expect(await acceptedAt(viewed, 110n)).toEqual({ totals: new Map(), each: [0n, 0n, 0n] });
  });

  it("is all of a bid that can never leave, in version 1.0.0, and so it is of one whose exit refunds nothing", async () => {
    const course = {
      ...OVER,
      checkpoints: checkpoints(2n, 5n, 6n).map((each) =>
        each.mps < ALL_MPS ? each : { ...each, raisedAtPrice: 2n * Q96 * 7_500_000n },
      ),
      ticks: [
        { price: Q96, demand: 0n },
        { price: 3n * Q96, demand: 6n * Q96 },
      ],
    };
    for (const isSince1_1 of [false, true]) {
      await using viewed = await ViewedAuction.start();
      viewed.auction = { bids: bids(3), terms: { isSince1_1 }, course };
      expect(await acceptedAt(viewed, 110n)).toMatchObject({ each: [3n, 7n, 7n] });
    }
  });

  it("isn't known before the end, nor without its last checkpoint, nor where bids contradict the checkpoints", async () => {
    await using viewed = await ViewedAuction.start();
    viewed.auction = { bids: bids(3), terms: {}, course: OVER };
    expect(await acceptedAt(viewed, 109n)).toBeUndefined();
    const ticks = [
      { price: Q96, demand: 0n },
      { price: 4n * Q96, demand: 3_000n * Q96 },
    ];
    const unmade = { ...OVER, checkpoints: checkpoints(2n, 5n), ticks, isGraduated: false };
    viewed.auction = { ...viewed.auction, course: unmade };
    expect(await acceptedAt(viewed, 110n)).toContain("until somebody calls its checkpoint()");
    await using other = await ViewedAuction.start();
    const moved = OVER.checkpoints.map((each) => (each.block === 101n ? { ...each, block: 102n } : each));
    other.auction = { bids: bids(3), terms: {}, course: { ...OVER, checkpoints: moved } };
    await expect(acceptedAt(other, 110n)).rejects.toThrow("a bid of block 101 contradicts the checkpoints");
  });
});

function isCallOfBids(call: unknown): boolean {
  const { data } = Object(call);
  return typeof data === "string" && data.startsWith(auctionBidsCode.bytecode);
}

describe("the family of auctions", () => {
  it("names the stages by the numbers of its view", () => {
    const stages = [0, 1, 2, 3, 4].map((stageNumber) => CCA_FAMILY.meaningOf({ stageNumber }, {}));
    expect(stages.map(({ stage }) => stage)).toEqual(["pre_open", "commitment", "settlement", "done", undefined]);
    expect(CCA_FAMILY.meaningOf({}, { contractVersion: 2 })).toEqual({ warnings: [] });
  });

  it("finds the bids that logs name", () => {
    const topic = toEventSelector("BidSubmitted(uint256,address,uint256,uint128)");
    expect(CCA_FAMILY.logs.topics).toEqual([topic]);
    const id = "7".padStart(64, "0");
    expect(CCA_FAMILY.logs.meaningOf([topic, `0x${id}`])).toEqual({ kind: "row", commitmentId: id });
    expect(CCA_FAMILY.logs.meaningOf([topic, undefined])).toEqual({ kind: "unknown" });
    expect(CCA_FAMILY.logs.meaningOf([`0x${id}`, topic])).toEqual({ kind: "unknown" });
  });
});

describe("the reader of an auction", () => {
  it("reads again after a view couldn't be made", async () => {
    let views = 0;
    const failing = {
      ...CCA_FAMILY,
      view: (options: Parameters<(typeof CCA_FAMILY)["view"]>[0]) => {
        views += 1;
        return views === 1 ? Promise.reject(new Error("no memory")) : CCA_FAMILY.view(options);
      },
    };
    await using fixture = await ReaderFixture.start({}, {}, failing);
    const { chain, node, reader } = fixture;
    node.behaviour.interfere = (request) => answerAuction({ bids: bids(3), terms: {} }, request, chain);
    while (chain.head.number < 105n) chain.mine();
    const store = new ModelStore([zeroAddress]);
    await expect(reader.next(store, signal)).rejects.toThrow("no memory");
    expect(await reader.next(store, signal)).toMatchObject({ kind: "sweep", count: 3n, stage: "commitment" });
  });
});
