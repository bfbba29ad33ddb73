import { type Address, parseEventLogs } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { auctionSale } from "../../contracts/artefacts/auction-sale.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import {
  auctionCalls,
  deployAuctionSale,
  placeBids,
  readDirect,
  SALE_UUID,
  TOKENS,
} from "../../support/chains/sale-contract.ts";
import { type ContractCall, TestChain } from "../../support/chains/test-chain.ts";
import { bidOf, entityOf, pair, walletOf } from "../../support/databases/sale-rows.ts";

describe.skipIf(findAnvil() === undefined)("AuctionSale (anvil)", () => {
  let anvil: Anvil;
  let chain: TestChain;
  let sale: Address;
  /** The time of the next block. It increases with every block, because the tests share a chain. */
  let time = 2_000_000_000n;

  beforeAll(async () => {
    anvil = await startAnvil();
    chain = await TestChain.connect(anvil);
  });
  afterAll(() => anvil?.stop());

  beforeEach(async () => {
    sale = await deployAuctionSale(chain);
    await mined(auctionCalls.setStage(sale, 1));
  });

  /** Mines calls in one block. @returns its time, in seconds. */
  async function mined(...calls: readonly ContractCall[]): Promise<bigint> {
    // The chain's own time passes, too: later than any block that it has mined meanwhile, on any machine.
    time += 3_600n;
    for (const call of calls) await chain.send(call);
    await chain.client.setNextBlockTimestamp({ timestamp: time });
    await chain.mine();
    return time;
  }

  const rows = () => readDirect(chain.client, sale);

  function refused(call: ContractCall): Promise<unknown> {
    return chain.client.simulateContract({ ...call, account: chain.account }).then(
      () => "taken",
      (error: Error) => error.message,
    );
  }

  async function rawTotals(): Promise<readonly bigint[]> {
    const totals = await chain.client.readContract({
      address: sale,
      abi: auctionSale.abi,
      functionName: "totalCommittedAmountByToken",
    });
    return totals.map(({ amount }) => amount);
  }

  /** Names of the latest block's logs, with the last digit of their entity, if any. */
  async function latestLogs(): Promise<string[]> {
    const blockNumber = await chain.client.getBlockNumber({ cacheTime: 0 });
    const logs = await chain.client.getLogs({ address: sale, fromBlock: blockNumber, toBlock: blockNumber });
    return parseEventLogs({ abi: auctionSale.abi, logs }).map(
      ({ eventName, args }) => `${eventName}${"entity" in args ? ` ${args.entity.slice(-1)}` : ""}`,
    );
  }

  it("lists one commitment per entity, in the order of first bids, under the padded entity ID", async () => {
    const at = await mined(auctionCalls.bidMany(sale, [bidOf(2), bidOf(1, { lockup: true, extraData: "0xabcd" })]));
    await mined(auctionCalls.bid(sale, bidOf(2)));

    expect(await rows()).toEqual([
      expect.objectContaining({ entityId: entityOf(2).slice(2), sourceIndex: 0n }),
      {
        commitmentId: entityOf(1).slice(2).padEnd(64, "0"),
        entityId: entityOf(1).slice(2),
        createdAtSeconds: at,
        priceTicks: 10n,
        lockup: true,
        refunded: false,
        amounts: [pair()],
        extraData: Uint8Array.of(0xab, 0xcd),
        sourceIndex: 1n,
      },
    ]);
  });

  it("replaces price, lockup and time with a new bid, and adds amounts, wallets and tokens", async () => {
    await mined(auctionCalls.bid(sale, bidOf(1, { lockup: true, extraData: "0x01" })));
    const other = [pair({ wallet: walletOf(2), amount: 0n }), pair({ token: TOKENS[1], amount: 7n })];
    const at = await mined(auctionCalls.bid(sale, bidOf(1, { price: 12n, added: [pair({ amount: 5n }), ...other] })));

    expect(await rows()).toEqual([
      expect.objectContaining({
        createdAtSeconds: at,
        priceTicks: 12n,
        lockup: false,
        amounts: [pair({ amount: 1_005n }), ...other],
        extraData: Uint8Array.of(1),
      }),
    ]);
    expect(await latestLogs()).toEqual(["CommitmentIncreased 1", "CommitmentIncreased 1", "BidPlaced 1"]);
    expect(await rawTotals()).toEqual([1_005n, 7n]);
  });

  it("logs a bid with its entity, wallet, lockup, price and new total", async () => {
    await mined(auctionCalls.bid(sale, bidOf(1)));
    await mined(auctionCalls.bid(sale, bidOf(1, { price: 11n, lockup: true })));
    const logs = await chain.client.getContractEvents({ address: sale, abi: auctionSale.abi, eventName: "BidPlaced" });
    expect(logs.map(({ args }) => args)).toEqual([
      { entity: entityOf(1), wallet: expect.any(String), bid: { lockup: true, price: 11n, amount: 2_000n } },
    ]);
  });

  it("lets neither price nor amounts fall while bidding is open", async () => {
    await mined(auctionCalls.bid(sale, bidOf(1)));
    expect(await refused(auctionCalls.bid(sale, bidOf(1, { price: 9n })))).toContain("PriceFalls");
    expect(await refused(auctionCalls.reduce(sale, entityOf(1), pair({ amount: 1n })))).toContain("WrongStage");
    expect(await refused(auctionCalls.cancel(sale, entityOf(1)))).toContain("WrongStage");
  });

  it("sets the amounts of a cancelled commitment to zero and marks it as refunded", async () => {
    const second = pair({ token: TOKENS[1], amount: 3n });
    const at = await mined(auctionCalls.bidMany(sale, [bidOf(1, { added: [pair(), second] }), bidOf(2)]));
    await mined(auctionCalls.setStage(sale, 2));
    await mined(auctionCalls.cancel(sale, entityOf(1)));

    const amounts = [pair({ amount: 0n }), { ...second, amount: 0n }];
    expect(await rows()).toEqual([
      expect.objectContaining({ refunded: true, createdAtSeconds: at, amounts }),
      expect.objectContaining({ refunded: false }),
    ]);
    expect(await latestLogs()).toEqual(["EntityRefunded 1"]);
    expect(await rawTotals()).toEqual([1_000n, 0n]);
    expect(await refused(auctionCalls.cancel(sale, entityOf(1)))).toContain("AlreadyRefunded");
  });

  it("keeps the amounts of a cancelled commitment in the older contract", async () => {
    sale = await deployAuctionSale(chain, { cancelledKeepsAmounts: true });
    await mined(auctionCalls.setStage(sale, 1), auctionCalls.bid(sale, bidOf(1)), auctionCalls.setStage(sale, 2));
    await mined(auctionCalls.cancel(sale, entityOf(1)));
    expect(await rows()).toEqual([expect.objectContaining({ refunded: true, amounts: [pair()] })]);
    expect(await rawTotals()).toEqual([1_000n, 0n]);
  });

  it("lowers an amount with a reduction and leaves the time", async () => {
    const at = await mined(auctionCalls.bid(sale, bidOf(1)));
    await mined(auctionCalls.setStage(sale, 2));
    await mined(auctionCalls.reduce(sale, entityOf(1), pair({ amount: 400n })));

    expect(await rows()).toEqual([
      expect.objectContaining({ createdAtSeconds: at, refunded: false, amounts: [pair({ amount: 600n })] }),
    ]);
    expect(await latestLogs()).toEqual(["CommitmentReduced 1"]);
    expect(await rawTotals()).toEqual([600n, 0n]);
    const other = pair({ wallet: walletOf(9) });
    expect(await refused(auctionCalls.reduce(sale, entityOf(1), other))).toContain("UnknownPair");
  });

  it("marks all as refunded at the end, with amounts unchanged", async () => {
    await mined(auctionCalls.bidMany(sale, [bidOf(1), bidOf(2), bidOf(3)]), auctionCalls.setStage(sale, 3));
    await mined(auctionCalls.settle(sale, 0n, 2n));
    expect((await rows()).map(({ refunded }) => refunded)).toEqual([true, true, false]);
    await mined(auctionCalls.settle(sale, 0n, 3n), auctionCalls.setStage(sale, 4));

    expect(await latestLogs()).toEqual(["EntityRefunded 3", "StageChanged"]);
    expect(await rows()).toEqual([1, 2, 3].map(() => expect.objectContaining({ refunded: true, amounts: [pair()] })));
    expect(await rawTotals()).toEqual([3_000n, 0n]);
  });

  it("takes thousands of bids in one block", async () => {
    const before = await chain.client.getBlockNumber({ cacheTime: 0 });
    const entities = Array.from({ length: 2_001 }, (_, index) => index + 1);
    await placeBids(
      chain,
      sale,
      entities.map((entity) => bidOf(entity, { added: [pair(), pair({ token: TOKENS[1] })] })),
    );
    expect((await rows()).map(({ entityId }) => Number(`0x${entityId}`))).toEqual(entities);
    expect(await chain.client.getBlockNumber({ cacheTime: 0 })).toBe(before + 1n);
  });

  it("goes through the stages forwards and backwards, and logs each", async () => {
    const stage = () => chain.client.readContract({ address: sale, abi: auctionSale.abi, functionName: "stage" });
    for (const next of [2, 3, 4, 3, 2, 1, 0]) {
      await mined(auctionCalls.setStage(sale, next));
      expect(await stage()).toBe(next);
      expect(await latestLogs()).toEqual(["StageChanged"]);
    }
    expect(await refused(auctionCalls.bid(sale, bidOf(1)))).toContain("WrongStage");
    expect(await refused(auctionCalls.setStage(sale, 5))).toContain("NoSuchStage");
  });

  it("returns ranges without their end, and reverts out of range", async () => {
    await mined(auctionCalls.bidMany(sale, [bidOf(1), bidOf(2), bidOf(3)]));
    const contract = { address: sale, abi: auctionSale.abi } as const;
    const read = (from: bigint, to: bigint) =>
      chain.client.readContract({ ...contract, functionName: "readCommitmentDataIn", args: [from, to] });
    const [first, ...rest] = await read(1n, 2n);
    expect(first?.saleSpecificEntityID).toBe(entityOf(2));
    expect(rest).toEqual([]);
    expect(await read(3n, 3n)).toEqual([]);
    await expect(read(0n, 4n)).rejects.toThrow("OutOfRange");
    await expect(read(2n, 1n)).rejects.toThrow("OutOfRange");

    const readAt = (index: bigint) =>
      chain.client.readContract({ ...contract, functionName: "readCommitmentDataAt", args: [index] });
    expect(await readAt(1n)).toEqual(first);
    await expect(readAt(3n)).rejects.toThrow("OutOfRange");
  });

  it("returns its sale and its payment tokens, which may be extended", async () => {
    const contract = { address: sale, abi: auctionSale.abi } as const;
    const tokens = () => chain.client.readContract({ ...contract, functionName: "paymentTokens" });
    expect(await chain.client.readContract({ ...contract, functionName: "saleUUID" })).toBe(SALE_UUID);
    expect((await tokens()).map((token) => token.toLowerCase())).toEqual(TOKENS);
    const third = walletOf(3);
    expect(await refused(auctionCalls.bid(sale, bidOf(1, { added: [pair({ token: third })] })))).toContain(
      "UnknownToken",
    );

    await mined(auctionCalls.addPaymentToken(sale, third));
    await mined(auctionCalls.bid(sale, bidOf(1, { added: [pair({ token: third })] })));
    expect(await tokens()).toHaveLength(3);
    expect(await rawTotals()).toEqual([0n, 0n, 1_000n]);
  });

  it("obeys nobody but its owner", async () => {
    const [, stranger] = await chain.client.getAddresses();
    const call = auctionCalls.bid(sale, bidOf(1));
    const attempt = chain.client.simulateContract({ ...call, ...(stranger && { account: stranger }) });
    await expect(attempt).rejects.toThrow("NotOwner");
  });
});
