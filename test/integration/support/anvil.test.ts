import type { Address } from "viem";
import { afterEach, describe, expect, it } from "vitest";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { auctionCalls, deployAuctionSale, readDirect } from "../../support/chains/sale-contract.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { bidOf, entityOf } from "../../support/databases/sale-rows.ts";

describe.skipIf(findAnvil() === undefined)("startAnvil (anvil)", () => {
  let anvil: Anvil;
  let chain: TestChain;
  let sale: Address;

  afterEach(() => anvil?.stop());

  async function start(options: Parameters<typeof startAnvil>[0] = {}): Promise<void> {
    anvil = await startAnvil(options);
    chain = await TestChain.connect(anvil);
    sale = await deployAuctionSale(chain);
    await chain.send(auctionCalls.setStage(sale, 1));
    if (anvil.mining === "manual") await chain.mine();
  }

  const height = () => chain.client.getBlockNumber({ cacheTime: 0 });
  const entities = async (block?: bigint) =>
    (await readDirect(chain.client, sale, block)).map(({ entityId }) => `0x${entityId}`);

  async function bidAndMine(...numbers: readonly number[]): Promise<void> {
    for (const number of numbers) await chain.send(auctionCalls.bid(sale, bidOf(number)));
    await chain.mine();
  }

  it("mines when asked, all that was sent in one block", async () => {
    await start();
    const before = await height();
    await chain.send(auctionCalls.bid(sale, bidOf(1)));
    await chain.send(auctionCalls.bid(sale, bidOf(2)));
    expect(await entities()).toEqual([]);
    await chain.mine(3);
    expect(await entities()).toEqual([entityOf(1), entityOf(2)]);
    expect(await height()).toBe(before + 3n);
  });

  it("mines each transaction at once if asked to, with the chain ID that it is given", async () => {
    await start({ mining: "auto", chainId: 777 });
    await chain.send(auctionCalls.bid(sale, bidOf(1)));
    expect(await entities()).toEqual([entityOf(1)]);
    expect(await chain.client.getChainId()).toBe(777);
  });

  it("reports a transaction that reverts", async () => {
    await start();
    await expect(bidAndMine(1, 1).then(() => chain.send(auctionCalls.cancel(sale, entityOf(1))))).resolves.toBeTruthy();
    await expect(chain.mine()).rejects.toThrow("reverted");
  });

  it("keeps blocks and their states through a clean end and a restart on the same port", async () => {
    await start({ keepState: true });
    await bidAndMine(1);
    const block = await height();
    await bidAndMine(2);
    const ended = anvil.pid;
    await anvil.restart();
    expect(anvil.pid).not.toBe(ended);
    expect(await entities()).toEqual([entityOf(1), entityOf(2)]);
    expect(await entities(block)).toEqual([entityOf(1)]);
  });

  it("goes on after a pause", async () => {
    await start();
    anvil.signal("SIGSTOP");
    const answer = height();
    anvil.signal("SIGCONT");
    expect(await answer).toBe(2n);
  });

  it("drops, changes and reorders with a re-organisation", async () => {
    await start();
    await bidAndMine(1);
    const kept = await height();
    await bidAndMine(2, 3);
    await bidAndMine(4);
    const head = await chain.client.getBlock();

    const replacement = (number: number, block: number) => ({ call: auctionCalls.bid(sale, bidOf(number)), block });
    await chain.reorg(2, [replacement(4, 0), replacement(3, 1)]);

    expect(await entities()).toEqual([entityOf(1), entityOf(4), entityOf(3)]);
    expect(await entities(kept)).toEqual([entityOf(1)]);
    expect(await height()).toBe(head.number);
    expect((await chain.client.getBlock({ blockNumber: head.number })).hash).not.toBe(head.hash);
    await bidAndMine(5);
    expect(await entities()).toHaveLength(4);
  });
});
