import { describe, expect, it } from "vitest";
import { FakeEvmChain } from "../../test/support/chains/evm-chain.ts";
import { CHAIN_ID, EvmNode } from "../../test/support/chains/evm-node.ts";
import { SvmNode } from "../../test/support/chains/svm-node.ts";
import { finalityProblem } from "./final-position.ts";

const { signal } = new AbortController();

describe("finalityProblem", () => {
  async function evmCase(height: bigint, change: { hash?: string; chainId?: bigint | undefined } = {}) {
    const chain = new FakeEvmChain();
    for (let number = 1; number <= 10; number += 1) chain.mine();
    await using node = await EvmNode.start(chain);
    const { hash = chain.at(height)?.hash ?? "", chainId = BigInt(CHAIN_ID) } = change;
    return await finalityProblem({ family: "evm", chainId, position: { height, hash }, nodes: [node.url], signal });
  }

  it("finds nothing wrong with a block up to the node's final one", async () => {
    expect(await evmCase(8n)).toBeUndefined();
    expect(await evmCase(1n)).toBeUndefined();
  });

  it("finds a block that isn't final yet, and one that the chain doesn't have", async () => {
    expect(await evmCase(9n)).toBe("block 9 isn't final yet: the node's last final block is 8");
    expect(await evmCase(7n, { hash: "12".repeat(32) })).toMatch(/^the node's chain has another block 7: 0x/);
  });

  it("can't say it by a node of another chain", async () => {
    await expect(evmCase(8n, { chainId: 5n })).rejects.toThrow("31337");
  });

  it("asks for the final slot where a chain has no blocks of its own", async () => {
    const node = await SvmNode.start("11111111-1111-4111-8111-111111111111");
    const problem = (height: bigint) =>
      finalityProblem({ family: "svm", position: { height, hash: "" }, nodes: [node.url], signal });
    try {
      expect(await problem(100n)).toBeUndefined();
      expect(await problem(101n)).toBe("slot 101 isn't final yet: the node's last final slot is 100");
    } finally {
      await node.stop();
    }
  });
});
