import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ComparedNode, HeadComparison } from "./head-comparison.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const { signal } = new AbortController();

/** A node whose head the test sets. */
class ScriptedNode implements ComparedNode {
  readonly host: string;
  height: bigint | undefined;
  /** The newest block that it can serve; undefined means its head. */
  has: bigint | undefined;
  /** Whether it fails to answer if it has a block. */
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
    /** Sets the heads, compares, and returns which nodes are unhealthy. */
    async moved(...to: readonly (bigint | undefined)[]): Promise<readonly boolean[]> {
      for (const [index, node] of nodes.entries()) node.height = to[index];
      await comparison.compare(signal);
      return nodes.map(({ isUnhealthy }) => isUnhealthy);
    },
  };
}

describe("HeadComparison", () => {
  it("marks a node that doesn't move while another one is ahead, until it has caught up", async () => {
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

  it("doesn't mark a node that moves, isn't far behind, or is seen for the first time", async () => {
    const { moved } = nodesAt(1n, 100n, 500n);
    expect(await moved(1n, 490n, 500n)).toEqual([false, false, false]);
    expect(await moved(2n, 490n, 500n)).toEqual([false, false, false]);
    expect(await moved(2n, 490n, 500n)).toEqual([true, false, false]);
  });

  it("treats a head that went back like one that doesn't move", async () => {
    const { moved } = nodesAt(100n, 100n);
    await moved(100n, 100n);
    expect(await moved(90n, 120n)).toEqual([true, false]);
  });

  it("doesn't believe a head that the node can't serve", async () => {
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

  it("changes nothing for a node that doesn't answer, or that can't be compared with another", async () => {
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

  it("uses the current heads if a chain was restarted", async () => {
    const { moved } = nodesAt(100n, 100n);
    await moved(100n, 100n);
    expect(await moved(100n, 200n)).toEqual([true, false]);
    expect(await moved(5n, 7n)).toEqual([false, false]);
  });

  it("neither believes nor marks a node that doesn't answer whether it has its head", async () => {
    const { nodes, moved } = nodesAt(100n, 100n);
    await moved(100n, 100n);
    for (const node of nodes) node.isMute = true;
    expect(await moved(100n, 200n)).toEqual([false, false]);
  });

  it("prefers a node that can't serve its head to one that is behind", async () => {
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

  it("asks each node once per comparison, and once more if it is far ahead", async () => {
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

  it("stops during a comparison", async () => {
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
