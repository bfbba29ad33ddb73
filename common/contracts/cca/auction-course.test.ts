import { describe, expect, it } from "vitest";
import { checkpointsAnswer, courseAnswer, ticksAnswer } from "../../../test/support/chains/auction-course-answers.ts";
import { Q96 } from "../../../test/support/chains/continuous-auction.ts";
import { FakeEvmChain } from "../../../test/support/chains/evm-chain.ts";
import { CONTRACT, EvmNode, type Interference } from "../../../test/support/chains/evm-node.ts";
import { evmChain } from "../../../test/support/chains/evm-reader-fixture.ts";
import { EvmEndpoint } from "../../chains/evm/evm-endpoint.ts";
import { PinnedBlock } from "../../chains/evm/pinned-block.ts";
import { auctionCheckpointsCode } from "./auction-checkpoints-code.ts";
import { AuctionCourseReader, type CourseOptions } from "./auction-course.ts";
import { auctionCourseCode } from "./auction-course-code.ts";
import { auctionTicksCode } from "./auction-ticks-code.ts";
import type { AuctionCourse } from "./fills/bid-outcome.ts";
import type { Checkpoint } from "./fills/checkpoint.ts";

const END = 700n;
const NO_TICK = 2n ** 256n - 1n;
const { signal } = new AbortController();

type Read = "course" | "checkpoints" | "ticks";

/** An auction until block 700, on a node that answers for it. */
class FakeAuction implements AsyncDisposable {
  /** Ascending. */
  checkpoints: readonly Checkpoint[] = [];
  prices: readonly bigint[] = [Q96];
  isGraduated = true;
  /** Whether a node has gas enough for a checkpoint. */
  isMakeable = true;
  readonly asked: Read[] = [];
  readonly chain = new FakeEvmChain();
  readonly #reader: AuctionCourseReader;
  #node: EvmNode | undefined;

  constructor(change: Partial<CourseOptions> = {}) {
    this.#reader = new AuctionCourseReader({
      version: "1.0.0",
      totalSupply: 1_000n,
      floorPrice: Q96,
      endBlock: END,
      ...change,
    });
  }

  async read(number: bigint): Promise<AuctionCourse | undefined> {
    while (this.chain.head.number < number) this.chain.mine();
    this.#node ??= await EvmNode.start(this.chain, {
      interfere: ({ method, params: [call] }) => (method === "eth_call" ? this.#answer(Object(call)) : undefined),
    });
    this.asked.length = 0;
    const endpoint = new EvmEndpoint(evmChain([this.#node.url]));
    return await this.#reader.read(new PinnedBlock(endpoint, CONTRACT, this.chain.head), signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#node?.[Symbol.asyncDispose]();
  }

  #answer({ data }: { readonly data?: string }): Interference | undefined {
    const read = data === undefined ? undefined : readOf(data);
    if (data === undefined || read === undefined) return undefined;
    this.asked.push(read);
    return { kind: "result", result: this.#result(read, data) };
  }

  #result(read: Read, data: string): string {
    const newest = this.checkpoints.at(-1)?.block ?? 0n;
    if (read === "course") return this.#course(BigInt(`0x${data.slice(-64)}`), newest);
    const [from, most] = [BigInt(`0x${data.slice(-128, -64)}`), Number(`0x${data.slice(-64)}`)];
    if (read === "ticks") {
      const rest = this.prices.filter((price) => price >= from).map((price) => ({ price, demand: price / 2n }));
      return ticksAnswer(rest[most]?.price ?? NO_TICK, rest.slice(0, most));
    }
    const rest = this.checkpoints.filter(({ block }) => block <= from).toReversed();
    return checkpointsAnswer(rest[most]?.block ?? 0n, rest.slice(0, most));
  }

  #course(ancestor: bigint, storedBlock: bigint): string {
    const { number } = this.chain.head;
    const made = checkpointOf(this.isMakeable ? (number < END ? number : END) : storedBlock);
    const hash = ancestor < number ? this.chain.at(ancestor)?.hash : undefined;
    return courseAnswer({ storedBlock, made, isGraduated: this.isGraduated, ancestor: hash ?? "0".repeat(64) });
  }
}

function readOf(data: string): Read | undefined {
  if (data.startsWith(auctionCourseCode.bytecode)) return "course";
  if (data.startsWith(auctionCheckpointsCode.bytecode)) return "checkpoints";
  return data.startsWith(auctionTicksCode.bytecode) ? "ticks" : undefined;
}

function checkpointOf(block: bigint): Checkpoint {
  return { block, price: Q96 + block, raisedAtPrice: block, mpsPerPrice: block, mps: block };
}

const checkpointsFrom = (first: bigint, count: number) =>
  Array.from({ length: count }, (_, index) => checkpointOf(first + BigInt(index)));

describe("AuctionCourseReader", () => {
  it("reads all checkpoints and the demand of each price, as many with a call as fit into code", async () => {
    await using auction = new FakeAuction();
    auction.checkpoints = checkpointsFrom(10n, 511);
    auction.prices = Array.from({ length: 383 }, (_, index) => Q96 + BigInt(index) * 5n);
    const course = await auction.read(600n);
    expect(auction.asked.toSorted()).toEqual(["checkpoints", "checkpoints", "checkpoints", "course", "ticks"]);
    expect(auction.checkpoints.map(({ block }) => course?.checkpoints.at(block))).toEqual(auction.checkpoints);
    expect(course?.checkpoints.newest).toEqual(checkpointOf(520n));
    expect(auction.prices.map((price) => course?.demandAt(price))).toEqual(auction.prices.map((price) => price / 2n));
    expect(course?.demandAt(Q96 + 1n)).toBe(0n);
    expect(course).toMatchObject({ version: "1.0.0", isOver: false, isGraduated: true });
  });

  it("adds the checkpoint of the end, unless it is stored", async () => {
    await using auction = new FakeAuction();
    auction.checkpoints = checkpointsFrom(10n, 2);
    expect((await auction.read(END - 1n))?.checkpoints.newest).toEqual(checkpointOf(11n));
    const over = await auction.read(END + 5n);
    expect([over?.isOver, over?.checkpoints.newest]).toEqual([true, checkpointOf(END)]);
    await using stored = new FakeAuction();
    stored.checkpoints = checkpointsFrom(END, 1);
    expect((await stored.read(END))?.checkpoints.newest).toEqual(checkpointOf(END));
  });

  it("reads nothing again once the auction is over, unless the chain has left what was read", async () => {
    await using auction = new FakeAuction();
    auction.checkpoints = checkpointsFrom(10n, 2);
    await auction.read(END - 1n);
    const over = await auction.read(END);
    expect(auction.asked).toHaveLength(3);
    expect(await auction.read(END)).toBe(over);
    expect(auction.asked).toEqual([]);
    for (const block of [END + 1n, END + 200n]) {
      expect(await auction.read(block)).toBe(over);
      expect(auction.asked).toEqual(["course"]);
    }
    auction.chain.drop(201);
    auction.checkpoints = checkpointsFrom(10n, 3);
    expect((await auction.read(END + 201n))?.checkpoints.at(12n)).toEqual(checkpointOf(12n));
    expect(auction.asked).toHaveLength(3);
  });

  it("computes the last checkpoint where a node hasn't gas enough for it, and may not know whether enough was raised", async () => {
    await using auction = new FakeAuction();
    auction.isMakeable = false;
    auction.isGraduated = false;
    expect(await auction.read(5n)).toMatchObject({ isOver: false, isGraduated: false });
    // Half of the first two buys 1,000 at less than 4 × 2^96; with the last one alone, 500 are left.
    auction.prices = [Q96, 2n * Q96, 1_000n * Q96, 6_000n * Q96];
    auction.checkpoints = [{ ...checkpointOf(10n), price: 3n * Q96, mps: 9_999_990n }];
    const over = await auction.read(END);
    const price = (3_500n * Q96 + 999n) / 1_000n;
    expect(over).toMatchObject({ isOver: true, isGraduated: undefined });
    const mpsPerPrice = 10n + (10n << 192n) / price;
    const end = { block: END, price, raisedAtPrice: 0n, mpsPerPrice, mps: 10_000_000n };
    expect(over?.checkpoints.newest).toEqual(end);
    // Nothing else changes it, so nothing is read again until somebody makes that checkpoint.
    expect(await auction.read(END + 1n)).toBe(over);
    expect(auction.asked).toEqual(["course"]);
    auction.checkpoints = [...auction.checkpoints, end];
    expect(await auction.read(END + 2n)).toMatchObject({ isOver: true, isGraduated: false });
    await using graduated = new FakeAuction();
    graduated.isMakeable = false;
    expect(await graduated.read(END)).toMatchObject({ isOver: true, isGraduated: true });
  });

  it("gives up an auction with too many checkpoints or prices", async () => {
    await using auction = new FakeAuction({ maxEntries: 300 });
    auction.checkpoints = checkpointsFrom(10n, 300);
    expect(await auction.read(600n)).toBeDefined();
    auction.checkpoints = checkpointsFrom(10n, 511);
    expect(await auction.read(601n)).toBeUndefined();
    auction.checkpoints = [];
    auction.prices = Array.from({ length: 767 }, (_, index) => Q96 + BigInt(index));
    expect(await auction.read(602n)).toBeUndefined();
  });

  it("refuses checkpoints that contradict each other", async () => {
    await using auction = new FakeAuction();
    auction.checkpoints = [{ ...checkpointOf(10n), mps: 99n }, checkpointOf(11n)];
    await expect(auction.read(600n)).rejects.toThrow("the checkpoint of block 11 contradicts that of block 10");
  });
});
