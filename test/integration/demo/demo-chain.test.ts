import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Address, createTestClient, http, publicActions, walletActions } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRpcTransport } from "../../../common/platform/rpc/client/client.ts";
import { ENTITIES_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { operatorKeyPath } from "../../../common/platform/rpc/identity/operator-key-path.ts";
import { entitiesUpstream } from "../../../gateway/web/sessions/entities-upstream.ts";
import { ContractKnowledge, PermitKeyStatus } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { continuousAuction } from "../../../services/demo/chain/continuous-auction.ts";
import { AUCTION_CONTRACT } from "../../../services/demo/chain/deploy-auction.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { freeToken } from "../../../services/demo/chain/free-token.ts";
import { startLocalChain } from "../../../services/demo/chain/local-chain.ts";
import { permitSale } from "../../../services/demo/chain/permit-sale.ts";
import { AUCTION, CONTINUOUS } from "../../../services/demo/sales/demo-sales.ts";
import { contractUuid } from "../../support/chains/chain-sale.ts";
import { auctionCalls, deployAuctionSale, readDirect } from "../../support/chains/sale-contract.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { DEMO_SALE_UUID, type EmbeddedTidemark, startEmbedded } from "../../support/processes/embedded.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { until } from "../../support/repository/polling.ts";

const CHAIN = /local chain: (http:\/\/127\.0\.0\.1:\d+), with/;
const NO_CHAIN = /local chain: none, (.*)/;
/** The demo starts with a few hundred bids. */
const FIRST_BIDS = 200;

interface Figures {
  readonly total: string;
  readonly count: number;
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let running: EmbeddedTidemark | undefined;

async function start(env: Readonly<Record<string, string>> = {}): Promise<EmbeddedTidemark> {
  running = await startEmbedded("node", { DATA_DIR: folder.path, DEMO_BID_INTERVAL: "300ms", ...env });
  return running;
}

async function shown({ publicReadUrl }: EmbeddedTidemark): Promise<Figures> {
  const answer = await readSale(publicReadUrl, DEMO_SALE_UUID);
  return { total: answer.TotalCommitmentAmount, count: answer.UniqueCommitmentCount };
}

async function readSale(publicReadUrl: string, saleUuid: string) {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ SaleUUID: saleUuid });
  return await (await fetch(publicReadUrl, { method: "POST", headers, body })).json();
}

async function continuousAddress(publicReadUrl: string): Promise<Address> {
  const { Contract } = await (await fetch(new URL(`sales/${CONTINUOUS.uuid}`, publicReadUrl))).json();
  return Contract.Address;
}

async function onChain(url: string, block?: bigint): Promise<Figures> {
  const client = createTestClient({ mode: "anvil", transport: http(url) })
    .extend(publicActions)
    .extend(walletActions);
  const rows = await readDirect(client, AUCTION_CONTRACT, block);
  const total = rows.flatMap(({ amounts }) => amounts).reduce((sum, { amount }) => sum + amount, 0n);
  return { total: total.toString(), count: rows.length };
}

/** Waits until the public read shows figures that the contract had after this call. */
async function untilReadMatchesChain(tidemark: EmbeddedTidemark, url: string): Promise<void> {
  const seen = new Set<string>();
  await until(async () => {
    // A read can revert if a block is mined meanwhile; the next read will do.
    const figures = await onChain(url).catch(() => undefined);
    if (figures !== undefined) seen.add(JSON.stringify(figures));
    return seen.has(JSON.stringify(await shown(tidemark)));
  });
}

async function untilMoved(tidemark: EmbeddedTidemark): Promise<void> {
  const before = await shown(tidemark);
  await until(async () => (await shown(tidemark)).total !== before.total);
}

async function chainUrl({ process }: EmbeddedTidemark): Promise<string> {
  const [, url = ""] = await process.waitForLine(CHAIN);
  return url;
}

beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  await running?.stop();
  await folder.remove();
});

describe.skipIf(findAnvil() === undefined)("the demo on its chain (anvil)", () => {
  it("shows the contract's figures, and follows its changes", async () => {
    const tidemark = await start();
    expect((await shown(tidemark)).count).toBeGreaterThan(FIRST_BIDS);
    const url = await chainUrl(tidemark);
    await untilReadMatchesChain(tidemark, url);
    await untilMoved(tidemark);
    await untilReadMatchesChain(tidemark, url);
  });

  it("shows the continuous auction's bids, and the price that its next checkpoint has", async () => {
    if (running === undefined) throw new Error("the demo isn't running");
    const { publicReadUrl } = running;
    const auction = { address: await continuousAddress(publicReadUrl), abi: continuousAuction.abi } as const;
    const client = createTestClient({ mode: "anvil", transport: http(await chainUrl(running)) }).extend(publicActions);
    const shownPrices = new Set<bigint>();
    await until(async () => {
      const shownNow = await readSale(publicReadUrl, CONTINUOUS.uuid);
      expect(shownNow.UniqueCommitmentCount).toBeGreaterThanOrEqual(20);
      shownPrices.add((BigInt(shownNow.ClearingPriceNumerator) << 96n) / BigInt(shownNow.ClearingPriceDenominator));
      const price = await client.readContract({ ...auction, functionName: "clearingPrice" });
      return price > CONTINUOUS.floorPrice && shownPrices.has(price);
    });
  });

  it("says up to which block it was read and at which one it last changed, as the chain has them", async () => {
    if (running === undefined) throw new Error("the demo isn't running");
    const url = await chainUrl(running);
    const chain = createTestClient({ mode: "anvil", transport: http(url) }).extend(publicActions);
    const blockHash = async (block: string) => (await chain.getBlock({ blockNumber: BigInt(block) })).hash;
    const sale = new URL(`sales/${DEMO_SALE_UUID}`, running.publicReadUrl).href;
    const info = await (await fetch(sale)).json();
    const contract = { ChainKind: "evm", ChainID: await chain.getChainId(), Address: AUCTION_CONTRACT.toLowerCase() };
    expect(info).toMatchObject({ Status: "open", Stage: "commitment", Fault: "", Contract: contract });
    expect(await blockHash(info.AsOf.Block)).toBe(info.AsOf.BlockHash);
    const read = await fetch(`${sale}/commitment-data`);
    const header = read.headers.get("tidemark-changed-block") ?? "";
    const [, block = "", hash] = /^(\d+);hash="(0x[0-9a-f]{64})"$/.exec(header) ?? [];
    expect(await blockHash(block)).toBe(hash);
    const { TotalCommitmentAmount: total, UniqueCommitmentCount: count } = await read.json();
    expect(await onChain(url, BigInt(block))).toEqual({ total, count });
  });

  it("continues after a clean end, and leaves no chain process behind", async () => {
    if (running === undefined) throw new Error("the demo isn't running");
    const [before, oldUrl] = [await shown(running), await chainUrl(running)];
    expect(await running.process.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    await expect(onChain(oldUrl)).rejects.toThrow();
    const tidemark = await start();
    const after = await shown(tidemark);
    expect(BigInt(after.total)).toBeGreaterThanOrEqual(BigInt(before.total));
    expect(after.count).toBeGreaterThanOrEqual(before.count);
    await untilMoved(tidemark);
    await untilReadMatchesChain(tidemark, await chainUrl(tidemark));
  });

  it("follows a new chain after the state of the old one was lost", async () => {
    if (running === undefined) throw new Error("the demo isn't running");
    const oldUrl = await chainUrl(running);
    await running.process.kill("SIGKILL");
    await until(() =>
      onChain(oldUrl).then(
        () => false,
        () => true,
      ),
    );
    await rm(join(folder.path, "chain", "state.json"), { force: true });
    const tidemark = await start();
    await untilReadMatchesChain(tidemark, await chainUrl(tidemark));
    await untilMoved(tidemark);
  });

  it("says that the auction doesn't change while its chain is switched off, and shows it as it was", async () => {
    if (running === undefined) throw new Error("the demo isn't running");
    await running.process.kill("SIGTERM");
    const tidemark = await start({ DEMO_CHAIN: "off" });
    const [, reason] = await tidemark.process.waitForLine(NO_CHAIN);
    expect(reason).toBe("DEMO_CHAIN=off; the auction, which is on it, doesn't change");
    expect((await shown(tidemark)).count).toBeGreaterThan(FIRST_BIDS);
  });
});

/** The entities service of a running demo, asked by the operator. */
async function participationOf({ process }: EmbeddedTidemark, dataDir: string) {
  const [, baseUrl = ""] = await process.waitForLine(/of entities: (http:\/\/[\d.:]+)/);
  const key = Buffer.from(await readFile(operatorKeyPath(dataDir), "utf8"), "base64url");
  const caller = { name: "operator", key, audience: ENTITIES_AUDIENCE };
  return entitiesUpstream(createRpcTransport({ baseUrl, caller, defaultTimeoutMs: 10_000 }));
}

/** A data folder whose chain has the contract of the versions before purchase permits, which was deployed in the same way. */
async function olderDataFolder(path: string): Promise<void> {
  const command = findAnvil() ?? "";
  const genesisSeconds = Math.floor(Date.now() / 1_000) - 60;
  const local = await startLocalChain({ command, folder: join(path, "chain"), port: 0, genesisSeconds });
  const chain = await TestChain.connect({ url: local.url, mining: "auto" });
  const tokens = AUCTION.tokens as readonly Address[];
  const address = await deployAuctionSale(chain, { saleUuid: contractUuid(AUCTION.uuid), tokens });
  expect(address.toLowerCase()).toBe(AUCTION_CONTRACT);
  await chain.send(auctionCalls.setStage(address, 1));
  await local.stop(AbortSignal.timeout(10_000));
}

describe.skipIf(findAnvil() === undefined)("the demo's contract (anvil)", () => {
  it("verifies permits of the sale's key, and takes tokens that anybody may mint, also after restarts and on a new chain", async () => {
    const own = await temporaryFolder();
    const addresses = new Set<string>();
    const saleUuid = AUCTION.uuid;
    await using stack = new AsyncDisposableStack();
    stack.defer(() => own.remove());
    for (let run = 0; run < 3; run += 1) {
      if (run === 2) await rm(join(own.path, "chain"), { recursive: true });
      const tidemark = await startEmbedded("node", { DATA_DIR: own.path });
      stack.defer(async () => void (await tidemark.process.kill("SIGTERM")));
      await tidemark.process.waitForLine(/with the auction's contract 0x\w+$/);
      const url = await chainUrl(tidemark);
      const { client } = await TestChain.connect({ url, mining: "auto" });
      const sale = { address: AUCTION_CONTRACT, abi: permitSale.abi } as const;
      expect(await client.readContract({ ...sale, functionName: "version" })).toEqual([2, 0, 0]);
      const symbols = AUCTION.tokens.map((address) =>
        client.readContract({ address: address as Address, abi: freeToken.abi, functionName: "symbol" }),
      );
      expect(await Promise.all(symbols)).toEqual(["USDX", "USDY"]);
      const { permits, eligibility } = await participationOf(tidemark, own.path);
      const { keys } = await permits.listKeys({ saleUuid });
      expect(keys).toMatchObject([{ status: PermitKeyStatus.ACTIVE, contract: ContractKnowledge.KNOWN }]);
      for (const { address } of keys) addresses.add(address);
      expect(await eligibility.getRules({ saleUuid })).toMatchObject({ version: 1n, rules: { enabled: true } });
      await tidemark.process.kill("SIGTERM");
    }
    expect(addresses.size).toBe(1);
  });

  it("is that of an older version in an older data folder, where bidders bid on, and the welcome says so", async () => {
    const own = await temporaryFolder();
    await using stack = new AsyncDisposableStack();
    stack.defer(() => own.remove());
    await olderDataFolder(own.path);
    const tidemark = await startEmbedded("node", { DATA_DIR: own.path, DEMO_BID_INTERVAL: "300ms" });
    stack.defer(async () => void (await tidemark.process.kill("SIGTERM")));
    await tidemark.process.waitForLine(/contract 0x\w+, which an older version deployed: it takes no purchase permits/);
    const [, application = ""] = await tidemark.process.waitForLine(/demo application: (\S+), which/);
    expect(await (await fetch(application)).text()).toContain(
      "Nobody can bid here: this data folder’s contract is of an older version, which takes no purchase permits.",
    );
    const { eligibility } = await participationOf(tidemark, own.path);
    expect((await eligibility.getRules({ saleUuid: AUCTION.uuid })).rules?.enabled).toBe(false);
    await untilMoved(tidemark);
    await untilReadMatchesChain(tidemark, await chainUrl(tidemark));
  });
});

it("without a chain the simulated bidders bid through the RPC, also after a restart", async () => {
  const own = await temporaryFolder();
  try {
    for (const [env, reason] of [
      [{ DEMO_CHAIN: "off" }, "DEMO_CHAIN=off"],
      [{}, "the auction in this data folder was set up without one"],
    ] as const) {
      const settings = { DATA_DIR: own.path, DEMO_BID_INTERVAL: "100ms", ...env };
      await using stack = new AsyncDisposableStack();
      const tidemark = await startEmbedded("node", settings);
      stack.defer(async () => void (await tidemark.process.kill("SIGTERM")));
      const [, shownReason] = await tidemark.process.waitForLine(NO_CHAIN);
      expect(shownReason).toBe(`${reason}; the simulated bidders bid through the RPC`);
      expect((await shown(tidemark)).count).toBeGreaterThan(FIRST_BIDS);
      await untilMoved(tidemark);
    }
  } finally {
    await own.remove();
  }
});
