import { describe, expect, it } from "vitest";
import { saleRow } from "../../../../test/support/chains/evm-chain.ts";
import { expectUpToDate, raised, readSale } from "../../../../test/support/chains/evm-reader-fixture.ts";
import { ROW_TOPICS } from "../../reference/evm/abi.ts";

describe("a read", () => {
  it("asks what it can at once in one request", async () => {
    await using fixture = await readSale(5);
    fixture.chain.mine();
    await fixture.read();
    fixture.chain.mine();
    const { node } = fixture;
    const before = { posts: node.posts, requests: node.requests.length };
    expect(await fixture.read()).toMatchObject({ kind: "partial" });
    expectUpToDate(fixture);
    const asked = node.requests.slice(before.requests).map(({ method, functionName }) => functionName ?? method);
    expect(asked.toSorted()).toEqual(
      // The head, the same logs once more, and a batch of the rest.
      ["eth_getBlockByNumber", "eth_getLogs", "eth_getLogs", "numCommitments", "stage", "totalCommittedAmountByToken"],
    );
    expect(node.posts - before.posts).toBe(3);
  });

  it.each([1, 2, 3])("is as exact where a node takes at most %i calls in a batch", async (largestBatch) => {
    await using fixture = await readSale(5, { largestBatch });
    for (let block = 0; block < 8; block += 1) {
      fixture.chain.put(block % 5, raised(saleRow((block % 5) + 1), BigInt(block + 1)), ROW_TOPICS.commitmentIncreased);
      expect(await fixture.read()).toMatchObject({ kind: "partial" });
      expectUpToDate(fixture);
    }
  });

  it("is as exact where a node leaves calls of a batch out", async () => {
    await using fixture = await readSale(5);
    fixture.node.behaviour.answersEverySecond = true;
    for (let block = 0; block < 8; block += 1) {
      fixture.chain.put(block % 5, raised(saleRow((block % 5) + 1), BigInt(block + 1)), ROW_TOPICS.commitmentIncreased);
      expect(await fixture.read()).toMatchObject({ kind: "partial" });
      expectUpToDate(fixture);
    }
  });
});
