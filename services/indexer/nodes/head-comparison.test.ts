import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ComparedNode, HeadComparison } from "./head-comparison.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const { signal } = new AbortController();

/** A node whose head the test moves. */
class ScriptedNode implements ComparedNode {
  readonly host: string;
  height: bigint | undefined;
  /** Up to where it has blocks; undefined: up to its head. */
  has: bigint | undefined;
  /** It doesn't tell whether it has a block. */
  isMute = false;
  isUnhealthy = false;
  asked = 0;

  constructor(host: string, height: bigint | undefined) {
    this.host = host;
    this.height = height;
  }

  async head() {
    this.asked += 1;
    const { height } = this;
    if (height === undefined) throw new Error("down");
    return {
      height,
      isServed: async () => {
        this.asked += 1;
        if (this.isMute) throw new Error("down");
        return height <= (this.has ?? height);
      },
    };
  }

  setUnhealthy(isUnhealthy: boolean): void {
    this.isUnhealthy = isUnhealthy;
  }
}

function nodesAt(...heights: readonly (bigint | undefined)[]) {
  const nodes = heights.map((height, index) => new ScriptedNode(`node-${index}.test`, height));
  const comparison = new HeadComparison(nodes, { maxLag: 10n, unit: "blocks" });
  return {
    nodes,
    comparison,
    /** Moves the heads, compares, and tells who is aside. */
    async moved(...to: readonly (bigint | undefined)[]): Promise<readonly boolean[]> {
      for (const [index, node] of nodes.entries()) node.height = to[index];
      await comparison.compare(signal);
      return nodes.map(({ isUnhealthy }) => isUnhealthy);
    },
  };
}

describe("HeadComparison", () => {
  it("puts a node aside that stands still while another one is ahead, until it has caught up", async () => {
    const { comparison, moved } = nodesAt(100n, 100n);
    expect(await moved(100n, 100n)).toEqual([false, false]);
    expect(await moved(100n, 111n)).toEqual([true, false]);
    expect(comparison.heads()).toEqual([
      { host: "node-0.test", behindBy: 11n, problem: "node-0.test is 11 blocks behind other nodes" },
      { host: "node-1.test", behindBy: 0n },
    ]);
    expect(await moved(105n, 130n)).toEqual([true, false]);
    expect(await moved(125n, 135n)).toEqual([false, false]);
    expect(comparison.heads()).toEqual([
      { host: "node-0.test", behindBy: 10n },
      { host: "node-1.test", behindBy: 0n },
    ]);
  });

  it("leaves a node in its place that moves, stands still not far behind, or is seen for the first time", async () => {
    const { moved } = nodesAt(1n, 100n, 500n);
    expect(await moved(1n, 490n, 500n)).toEqual([false, false, false]);
    expect(await moved(2n, 490n, 500n)).toEqual([false, false, false]);
    expect(await moved(2n, 490n, 500n)).toEqual([true, false, false]);
  });

  it("takes a head that went back for one that stands still", async () => {
    const { moved } = nodesAt(100n, 100n);
    await moved(100n, 100n);
    expect(await moved(90n, 120n)).toEqual([true, false]);
  });

  it("doesn't believe a head that the node can't give", async () => {
    const { nodes, comparison, moved } = nodesAt(100n, 100n, 100n);
    const [, liar] = nodes;
    if (liar === undefined) throw new Error("there are three nodes");
    liar.has = 100n;
    await moved(100n, 100n, 100n);
    expect(await moved(100n, 1_000_000n, 105n)).toEqual([false, true, false]);
    expect(comparison.heads()[1]).toEqual({
      host: "node-1.test",
      behindBy: 0n,
      problem: "node-1.test says that its head is 1000000, but can't serve it",
    });
    expect(await moved(100n, 1_000_000n, 130n)).toEqual([true, true, false]);
    expect(comparison.heads()[0]).toMatchObject({ behindBy: 30n });
    liar.has = undefined;
    expect(await moved(131n, 131n, 131n)).toEqual([false, false, false]);
  });

  it("leaves all as it was for a node that doesn't answer, or whom nobody can be compared with", async () => {
    const { moved } = nodesAt(100n, 100n);
    await moved(100n, 100n);
    expect(await moved(80n, undefined)).toEqual([false, false]);
    await moved(100n, 100n);
    expect(await moved(100n, 200n)).toEqual([true, false]);
    expect(await moved(undefined, 220n)).toEqual([true, false]);
    expect(await moved(undefined, undefined)).toEqual([true, false]);
    expect(await moved(150n, undefined)).toEqual([true, false]);
    expect(await moved(190n, undefined)).toEqual([false, false]);
  });

  it("goes by the heads of now where a chain has begun anew", async () => {
    const { moved } = nodesAt(100n, 100n);
    await moved(100n, 100n);
    expect(await moved(100n, 200n)).toEqual([true, false]);
    expect(await moved(5n, 7n)).toEqual([false, false]);
  });

  it("neither believes nor blames a node that doesn't tell whether it has its head", async () => {
    const { nodes, moved } = nodesAt(100n, 100n);
    await moved(100n, 100n);
    for (const node of nodes) node.isMute = true;
    expect(await moved(100n, 200n)).toEqual([false, false]);
  });

  it("rather asks a node that denies its head than one that is behind", async () => {
    const { nodes, comparison, moved } = nodesAt(100n, 100n);
    await moved(100n, 100n);
    expect(await moved(100n, 200n)).toEqual([true, false]);
    for (const node of nodes) node.has = 100n;
    expect(await moved(100n, 300n)).toEqual([true, false]);
    expect(comparison.heads().map(({ problem }) => problem)).toEqual([
      "node-0.test is 100 blocks behind other nodes",
      "node-1.test says that its head is 300, but can't serve it",
    ]);
  });

  it("asks each node once per comparison, and once more where it is far ahead", async () => {
    const { nodes, moved } = nodesAt(100n, 110n);
    await moved(100n, 110n);
    expect(nodes.map(({ asked }) => asked)).toEqual([1, 1]);
    await moved(100n, 111n);
    expect(nodes.map(({ asked }) => asked)).toEqual([2, 3]);
  });

  it("compares every 15 seconds until it is stopped", async () => {
    const { nodes, comparison } = nodesAt(100n, 100n);
    comparison.follow();
    comparison.follow();
    await vi.advanceTimersByTimeAsync(44_999);
    expect(nodes.map(({ asked }) => asked)).toEqual([3, 3]);
    await vi.advanceTimersByTimeAsync(1);
    expect(nodes.map(({ asked }) => asked)).toEqual([4, 4]);
    await comparison.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("asks a single node nothing", async () => {
    const { nodes, comparison } = nodesAt(100n);
    comparison.follow();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(nodes[0]?.asked).toBe(0);
    await comparison.stop();
  });

  it("ends within a comparison", async () => {
    const nodes = ["a.test", "b.test"].map((host) => ({
      host,
      head: (until: AbortSignal) =>
        new Promise<never>((_, reject) => until.addEventListener("abort", () => reject(until.reason))),
      setUnhealthy() {},
    }));
    const comparison = new HeadComparison(nodes, { maxLag: 10n, unit: "slots" });
    comparison.follow();
    await comparison.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
