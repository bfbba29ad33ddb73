import { type Address, type Hex, hexToBytes } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChainConnection } from "../../../common/contracts/chain-connection.ts";
import { connectEvmChain } from "../../../common/contracts/connecting/evm/connect-evm-chain.ts";
import type { SourceReader } from "../../../common/contracts/source-reader.ts";
import type { Snapshot } from "../../../common/contracts/source-snapshot.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { evmChain } from "../../support/chains/evm-reader-fixture.ts";
import {
  auctionCalls,
  type BidInput,
  type CommitmentRow,
  deployAuctionSale,
  deployManyPerEntitySale,
  deploySilentSale,
  deployUnreliableSale,
  manyPerEntityCalls,
  placeBids,
  readDirect,
  SALE_UUID,
  silentCalls,
  TOKENS,
  unreliableCalls,
} from "../../support/chains/sale-contract.ts";
import { type ContractCall, TestChain } from "../../support/chains/test-chain.ts";
import { ModelStore } from "../../support/models/model-store.ts";

const signal = new AbortController().signal;
const COMMITMENT = 1;
const CANCELLATION = 2;
const SETTLEMENT = 3;
const DONE = 4;

function entity(number: number): Hex {
  return `0x${number.toString(16).padStart(32, "0")}`;
}

function wallet(number: number): Address {
  return `0x${number.toString(16).padStart(40, "f")}`;
}

function bid(number: number, change: Partial<BidInput> = {}): BidInput {
  const [first, second] = TOKENS;
  const added = [
    { wallet: wallet(number), token: first, amount: 1000n + BigInt(number) },
    { wallet: wallet(number + 1), token: second, amount: 0n },
  ];
  return { entity: entity(number), price: 10n, lockup: number % 2 === 0, added, extraData: "0xcafe", ...change };
}

function bids(count: number, first = 1): readonly BidInput[] {
  return Array.from({ length: count }, (_, index) => bid(first + index));
}

function silentRow(number: number): CommitmentRow {
  return {
    commitmentID: `0x${number.toString(16).padStart(64, "9")}`,
    saleSpecificEntityID: entity(number),
    timestamp: BigInt(number),
    price: 3n,
    lockup: true,
    refunded: false,
    amounts: [{ wallet: wallet(number), token: TOKENS[0], amount: 2n ** 200n }],
    extraData: "0x",
  };
}

describe.skipIf(findAnvil() === undefined)("the EVM reader on anvil", () => {
  let anvil: Anvil;
  let chain: TestChain;
  let connection: ChainConnection;

  beforeAll(async () => {
    anvil = await startAnvil();
    chain = await TestChain.connect(anvil);
    connection = connectEvmChain(evmChain([anvil.url], { chainId: anvil.chainId, chunkRows: 300 }));
  });

  afterAll(async () => {
    await connection?.close();
    await anvil?.stop();
  });

  /** A sale contract with its reader and store. */
  class Sale {
    readonly address: Address;
    readonly store = new ModelStore(TOKENS);
    readonly reader: SourceReader;

    constructor(address: Address, by: ChainConnection = connection) {
      this.address = address;
      this.reader = by.createReader({ address, saleUuid: uuidFromBytes(hexToBytes(SALE_UUID)) });
    }

    async mine(...calls: readonly ContractCall[]): Promise<void> {
      for (const call of calls) await chain.send(call);
      await chain.mine();
    }

    /** Reads, with a new block each time, until there is a sweep. */
    async nextSweep(): Promise<Snapshot> {
      for (;;) {
        const snapshot = await this.reader.next(this.store, signal);
        if (snapshot !== undefined) {
          await this.store.apply(snapshot);
          this.reader.applied(snapshot);
          if (snapshot.kind === "sweep") return snapshot;
        }
        await chain.mine();
      }
    }

    /** Reads until the store is up to date, and compares it with a direct read. @returns the last snapshot. */
    async expectUpToDate(): Promise<Snapshot> {
      const head = await chain.client.getBlock({ blockTag: "latest" });
      for (;;) {
        const snapshot = await this.reader.next(this.store, signal);
        // A sweep rests so that sweeps take at most a tenth of the time.
        if (snapshot === undefined) continue;
        await this.store.apply(snapshot);
        this.reader.applied(snapshot);
        await this.reader.prove?.(this.store, signal);
        if (snapshot.position.height < head.number) continue;
        const { number: height, timestamp: timeSeconds } = head;
        expect(this.store.position).toEqual({ height, hash: head.hash.slice(2), timeSeconds });
        expect(this.store.visible).toEqual(await readDirect(chain.client, this.address, head.number));
        return snapshot;
      }
    }
  }

  async function auction(count: number): Promise<Sale> {
    const sale = new Sale(await deployAuctionSale(chain));
    await chain.send(auctionCalls.setStage(sale.address, COMMITMENT));
    await placeBids(chain, sale.address, bids(count));
    return sale;
  }

  it("follows an auction through all of its stages and back", async () => {
    const sale = await auction(1000);
    const { address } = sale;
    expect(await sale.expectUpToDate()).toMatchObject({ kind: "sweep", count: 1000n, stage: "commitment" });

    const raise = bid(7, { price: 12n, added: [{ wallet: wallet(99), token: TOKENS[1], amount: 5n }] });
    await sale.mine(auctionCalls.bid(address, raise), auctionCalls.bidMany(address, bids(20, 1001)));
    const raised = await sale.expectUpToDate();
    expect(raised).toMatchObject({ kind: "partial", count: 1020n });
    expect(raised.rowsRead()).toBe(21n);

    const reduction = { wallet: wallet(9), token: TOKENS[0], amount: 4n };
    await sale.mine(auctionCalls.setStage(address, CANCELLATION));
    await sale.mine(auctionCalls.cancel(address, entity(8)), auctionCalls.reduce(address, entity(9), reduction));
    expect(await sale.expectUpToDate()).toMatchObject({ kind: "partial", stage: "cancellation" });
    // A change of stage causes a sweep.
    expect(await sale.nextSweep()).toMatchObject({ stage: "cancellation" });

    await sale.mine(auctionCalls.setStage(address, COMMITMENT), auctionCalls.bid(address, bid(10, { price: 15n })));
    expect(await sale.expectUpToDate()).toMatchObject({ kind: "partial", stage: "commitment" });
    await sale.nextSweep();

    await sale.mine(auctionCalls.setStage(address, SETTLEMENT), auctionCalls.settle(address, 0n, 1020n));
    await sale.mine(auctionCalls.setStage(address, DONE));
    expect(await sale.expectUpToDate()).toMatchObject({ kind: "partial", stage: "done" });
    expect(sale.store.visible.every(({ refunded }) => refunded)).toBe(true);
  });

  it.each([1, 3])("follows a re-organisation of %i blocks that drops, changes and reorders", async (depth) => {
    const sale = await auction(5);
    const { address } = sale;
    for (let block = 0; block < 3; block += 1) await sale.mine(auctionCalls.bid(address, bid(10 + block)));
    await sale.expectUpToDate();
    const replacements = [
      { call: auctionCalls.bid(address, bid(12)), block: 0 },
      { call: auctionCalls.bid(address, bid(2, { price: 77n })), block: 0 },
    ];
    await chain.reorg(depth, replacements);
    await chain.mine();
    expect(await sale.expectUpToDate()).toMatchObject({ kind: "partial" });
    await sale.mine(auctionCalls.bid(address, bid(3)));
    expect(await sale.expectUpToDate()).toMatchObject({ kind: "partial" });
  });

  it("follows a contract without logs and optional functions that removes and reorders", async () => {
    const sale = new Sale(await deploySilentSale(chain));
    const { address } = sale;
    await sale.mine(
      silentCalls.push(
        address,
        Array.from({ length: 20 }, (_, index) => silentRow(index + 1)),
      ),
    );
    expect(await sale.expectUpToDate()).toMatchObject({ kind: "sweep", count: 20n });
    const changed = { ...silentRow(3), price: 9n };
    await sale.mine(
      silentCalls.remove(address, 4n),
      silentCalls.swap(address, 0n, 10n),
      silentCalls.set(address, 2n, changed),
    );
    const snapshot = await sale.expectUpToDate();
    expect(snapshot).toMatchObject({ kind: "sweep", count: 19n });
    expect(snapshot.stage).toBeUndefined();
    expect(snapshot.warning()).toBeUndefined();
  });

  it("follows a contract with several commitments per entity", async () => {
    const sale = new Sale(await deployManyPerEntitySale(chain));
    const { address } = sale;
    const amount = { wallet: wallet(1), token: TOKENS[0], amount: 5n };
    await sale.mine(...[1, 1, 2].map((number) => manyPerEntityCalls.bid(address, entity(number), 4n, amount)));
    expect(await sale.expectUpToDate()).toMatchObject({ kind: "sweep", count: 3n });
    await sale.mine(manyPerEntityCalls.increase(address, 1n, 9n));
    const snapshot = await sale.expectUpToDate();
    expect(snapshot).toMatchObject({ kind: "sweep" });
    expect(snapshot.warning()).toBeUndefined();
  });

  it("no longer trusts the logs of a contract that changes a row without one", async () => {
    const eager = connectEvmChain(evmChain([anvil.url], { chainId: anvil.chainId, sweepIntervalMs: 0 }));
    const sale = new Sale(await deployUnreliableSale(chain), eager);
    const { address } = sale;
    await chain.send(auctionCalls.setStage(address, COMMITMENT));
    await placeBids(chain, address, bids(5));
    await sale.expectUpToDate();
    await sale.mine(unreliableCalls.setPriceUnheard(address, entity(2), 50n));
    const unheard = await sale.expectUpToDate();
    expect([unheard.kind, unheard.warning()]).toEqual(["sweep", undefined]);

    // The total stays the same, so a partial read can't find the change; the next sweep does.
    await sale.mine(unreliableCalls.setPriceSilently(address, entity(3), 60n));
    const found = await sale.nextSweep();
    // One answer of the only URL may be the node's fault. The next sweep asks for the same logs again.
    expect(found.warning()).toBeUndefined();
    await sale.mine(auctionCalls.bid(address, bid(4)));
    const confirmed = await sale.expectUpToDate();
    expect([confirmed.kind, confirmed.warning()]).toEqual(["sweep", expect.stringContaining("without a log")]);
    await eager.close();
  });

  it("shows a total that stays wrong as a warning", async () => {
    const sale = new Sale(await deployUnreliableSale(chain));
    const { address } = sale;
    await chain.send(auctionCalls.setStage(address, COMMITMENT));
    await placeBids(chain, address, bids(3));
    await sale.expectUpToDate();
    await sale.mine(unreliableCalls.setSurplus(address, 7n));
    for (let block = 0; block < 2; block += 1) {
      await expect(sale.expectUpToDate()).rejects.toThrow("7 too much");
      sale.reader.invalidate();
      await chain.mine();
    }
    expect((await sale.expectUpToDate()).warning()).toContain("7 too much");
  });

  it("checks what there is at an address", async () => {
    const sale = await auction(3);
    expect(await connection.check(sale, signal)).toMatchObject({
      readable: true,
      commitmentCount: 3n,
      stageNumber: COMMITMENT,
      stage: "commitment",
      paymentTokens: TOKENS,
    });
    expect(await connection.check({ address: wallet(1) }, signal)).toMatchObject({
      readable: false,
      problems: [expect.stringContaining("there is no contract")],
    });
  });
});
