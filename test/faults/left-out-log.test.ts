import { randomUUID } from "node:crypto";
import { padHex } from "viem/utils";
import { afterEach, describe, expect, it } from "vitest";
import { Random } from "../../services/demo/bidders/random.ts";
import { findAnvil } from "../../services/demo/chain/find-anvil.ts";
import { startAnvil } from "../support/chains/anvil.ts";
import { contractUuid, openChainSale } from "../support/chains/chain-sale.ts";
import { LyingProxy, type RpcCall } from "../support/chains/lying-proxy.ts";
import { auctionCalls, deployAuctionSale } from "../support/chains/sale-contract.ts";
import { TestChain } from "../support/chains/test-chain.ts";
import { bidOf, pair } from "../support/databases/sale-rows.ts";
import { anvilChain, startIndexedCommitments, startIndexerProcess } from "../support/processes/indexer-process.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { until } from "../support/repository/polling.ts";

/** Number of the stage in which bids are taken. */
const COMMITMENT = 1;
/** Enough for everything on offer, at each price of the test. */
const BUYS_ALL = 1_000_000n;
/** The entity whose price is raised, and another one, which bids in the same block. */
const [RAISED, OTHER] = [1, 2];

let stack = new AsyncDisposableStack();
afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

describe.skipIf(findAnvil() === undefined)("a node that leaves out a log once (anvil)", () => {
  it.each([
    ["by hash", 1],
    ["by range", 3],
  ])("asked %s, a raise of the price alone comes with the next blocks, and no sweep is needed", async (_, blocks) => {
    const anvil = stack.adopt(await startAnvil(), (started) => started.stop());
    const chain = await TestChain.connect(anvil);
    const saleUuid = randomUUID();
    const contract = await deployAuctionSale(chain, { saleUuid: contractUuid(saleUuid) });
    const raise = (price: bigint, amount: bigint) =>
      chain.send(auctionCalls.bid(contract, bidOf(RAISED, { price, added: [pair({ amount })] })));
    const other = bidOf(OTHER, { added: [pair({ amount: 1n })] });
    await chain.send(auctionCalls.setStage(contract, COMMITMENT));
    await raise(40n, BUYS_ALL);
    await chain.mine();
    let leftOut = 0;
    let isLying = false;
    const leaveOut = (call: RpcCall): RpcCall => {
      if (!isLying || call.method !== "eth_getLogs") return call;
      isLying = false;
      leftOut += 1;
      const topics = [null, padHex(other.entity, { dir: "right", size: 32 })];
      return { ...call, params: [{ ...(call.params[0] as object), topics }] };
    };
    const proxy = stack.use(await LyingProxy.start({ target: anvil.url, random: new Random(1), change: leaveOut }));
    const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
    const service = await startIndexedCommitments({ DATA_DIR: folder.path });
    stack.defer(async () => void (await service.process.kill("SIGTERM")));
    await openChainSale(service, contract, saleUuid);
    const local = anvilChain(proxy.url, anvil.chainId, { pollInterval: "50ms", sweepInterval: "1h" });
    const indexer = await startIndexerProcess(service.url, { local });
    stack.defer(async () => void (await indexer.process.kill("SIGTERM")));
    const clearingTicks = async () =>
      (await service.commitments.getCommitmentData({ saleUuid })).data?.clearingPrice?.price?.numerator;
    const count = async () => (await service.commitments.getCommitmentData({ saleUuid })).data?.commitmentCount;
    const reads = async (kind: string) => {
      const metrics = await (await fetch(`${indexer.adminUrl}/metrics`)).text();
      return Number(
        new RegExp(`^tidemark_indexer_reads_total\\{.*kind="${kind}".*\\} (\\d+)$`, "m").exec(metrics)?.[1] ?? 0,
      );
    };
    await until(async () => (await clearingTicks().catch(() => undefined)) === "40");
    await raise(50n, 0n);
    await chain.mine();
    await until(async () => (await clearingTicks()) === "50");
    await until(async () => (await reads("partial")) > 0);
    const sweeps = await reads("sweep");

    isLying = true;
    await raise(9_999n, 0n);
    await chain.send(auctionCalls.bid(contract, other));
    await chain.mine(blocks);
    await until(async () => (await count()) === 2n);
    expect([leftOut, await clearingTicks()]).toEqual([1, "50"]);
    await chain.mine();
    await until(async () => (await clearingTicks()) === "9999");
    expect(await reads("sweep")).toBe(sweeps);
  });
});
