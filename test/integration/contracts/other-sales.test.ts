import type { Address } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { auctionSale } from "../../contracts/artefacts/auction-sale.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import {
  auctionCalls,
  deployManyPerEntitySale,
  deploySilentSale,
  deployUnreliableSale,
  manyPerEntityCalls,
  readDirect,
  silentCalls,
  unreliableCalls,
} from "../../support/chains/sale-contract.ts";
import { type ContractCall, TestChain } from "../../support/chains/test-chain.ts";
import { bidOf, entityOf, pair, rowOf } from "../../support/databases/sale-rows.ts";

describe.skipIf(findAnvil() === undefined)("sale contracts unlike the reference sale (anvil)", () => {
  let anvil: Anvil;
  let chain: TestChain;
  let sale: Address;

  beforeAll(async () => {
    anvil = await startAnvil();
    chain = await TestChain.connect(anvil);
  });
  afterAll(() => anvil?.stop());

  async function mined(...calls: readonly ContractCall[]): Promise<void> {
    for (const call of calls) await chain.send(call);
    await chain.mine();
  }

  async function latestTopics(): Promise<(string | undefined)[]> {
    const blockNumber = await chain.client.getBlockNumber({ cacheTime: 0 });
    const logs = await chain.client.getLogs({ address: sale, fromBlock: blockNumber, toBlock: blockNumber });
    return logs.map(({ topics }) => topics[0]);
  }

  const entities = async () => (await readDirect(chain.client, sale)).map(({ entityId }) => Number(`0x${entityId}`));

  describe("SilentSale", () => {
    beforeEach(async () => {
      sale = await deploySilentSale(chain);
      await mined(silentCalls.push(sale, [rowOf(1), rowOf(2), rowOf(3)]));
    });

    it("takes rows of any content, without a log", async () => {
      const row = rowOf(9, {
        commitmentID: `0x${"9a".repeat(32)}`,
        timestamp: 2n ** 64n - 1n,
        price: 2n ** 64n - 1n,
        lockup: true,
        refunded: true,
        amounts: [pair({ amount: 2n ** 256n - 1n }), pair({ amount: 0n })],
        extraData: "0x0102",
      });
      await mined(silentCalls.set(sale, 1n, row));
      expect((await readDirect(chain.client, sale))[1]).toEqual({
        commitmentId: "9a".repeat(32),
        entityId: entityOf(9).slice(2),
        createdAtSeconds: row.timestamp,
        priceTicks: row.price,
        lockup: true,
        refunded: true,
        amounts: row.amounts,
        extraData: Uint8Array.of(1, 2),
        sourceIndex: 1n,
      });
      expect(await latestTopics()).toEqual([]);
    });

    it("puts the last row into the place of a removed one, and swaps rows", async () => {
      await mined(silentCalls.remove(sale, 0n));
      expect(await entities()).toEqual([3, 2]);
      await mined(silentCalls.swap(sale, 0n, 1n));
      expect(await entities()).toEqual([2, 3]);
      await mined(silentCalls.remove(sale, 1n), silentCalls.remove(sale, 0n));
      expect(await entities()).toEqual([]);
    });
  });

  it("ManyPerEntitySale lists several commitments of an entity under IDs of their own", async () => {
    sale = await deployManyPerEntitySale(chain);
    const bid = (entity: number) => manyPerEntityCalls.bid(sale, entityOf(entity), 10n, pair());
    await mined(bid(1), bid(2), bid(1));
    await mined(manyPerEntityCalls.increase(sale, 2n, 5n));

    const rows = await readDirect(chain.client, sale);
    expect(await entities()).toEqual([1, 2, 1]);
    expect(new Set(rows.map(({ commitmentId }) => commitmentId)).size).toBe(3);
    expect(rows.map(({ amounts }) => amounts[0]?.amount)).toEqual([1_000n, 1_000n, 1_005n]);
    expect(await latestTopics()).toHaveLength(1);
  });

  describe("UnreliableSale", () => {
    beforeEach(async () => {
      sale = await deployUnreliableSale(chain);
      await mined(auctionCalls.setStage(sale, 1), auctionCalls.bid(sale, bidOf(1)));
    });

    it("changes a row without a log", async () => {
      await mined(unreliableCalls.setPriceSilently(sale, entityOf(1), 77n));
      expect((await readDirect(chain.client, sale))[0]?.priceTicks).toBe(77n);
      expect(await latestTopics()).toEqual([]);
    });

    it("changes a row with a log of unknown meaning", async () => {
      await mined(unreliableCalls.setPriceUnheard(sale, entityOf(1), 78n));
      expect((await readDirect(chain.client, sale))[0]?.priceTicks).toBe(78n);
      expect(await latestTopics()).toHaveLength(1);
    });

    it("returns a total that isn't the sum", async () => {
      const total = async () => {
        const functionName = "totalCommittedAmountByToken";
        const [first] = await chain.client.readContract({ address: sale, abi: auctionSale.abi, functionName });
        return first?.amount;
      };
      await mined(unreliableCalls.setSurplus(sale, 9n));
      expect(await total()).toBe(1_009n);
      await mined(unreliableCalls.setSurplus(sale, 0n));
      expect(await total()).toBe(1_000n);
    });
  });
});
