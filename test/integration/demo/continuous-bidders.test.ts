import { type Address, getAddress } from "viem";
import { expect, it } from "vitest";
import { chainClient } from "../../../services/demo/chain/chain-client.ts";
import { continuousAuction } from "../../../services/demo/chain/continuous-auction.ts";
import { continuousBidders } from "../../../services/demo/chain/continuous-bidders.ts";
import { mayHaveBids } from "../../../services/demo/chain/demo-chain.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { freeToken } from "../../../services/demo/chain/free-token.ts";
import { startLocalChain } from "../../../services/demo/chain/local-chain.ts";
import { CONTINUOUS, DEMO_TOKEN } from "../../../services/demo/sales/demo-sales.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";

/** Steps in which some are outbid and leave. */
const STEPS = 40;

async function startedChain(stack: AsyncDisposableStack) {
  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const genesisSeconds = Math.floor(Date.now() / 1_000) - 60;
  const command = findAnvil() ?? "";
  const chain = await startLocalChain({ command, folder: folder.path, port: 0, genesisSeconds, keeps: mayHaveBids });
  stack.defer(() => chain.stop(AbortSignal.timeout(10_000)));
  return { chain, url: chain.url, client: chainClient(chain.url) };
}

it.skipIf(findAnvil() === undefined)(
  "the bidders of the continuous auction bid above its price, leave once they are outbid, and claim at the end, also after restarts (anvil)",
  async () => {
    await using stack = new AsyncDisposableStack();
    const { url, client } = await startedChain(stack);
    const first = await continuousBidders(url);
    await first.open();
    const auction = { address: getAddress(first.contract), abi: continuousAuction.abi } as const;
    const price = () => client.readContract({ ...auction, functionName: "clearingPrice" });
    const bids = async () => {
      const count = await client.readContract({ ...auction, functionName: "nextBidId" });
      const read = (id: number) => client.readContract({ ...auction, functionName: "bids", args: [BigInt(id)] });
      return Promise.all(Array.from({ length: Number(count) }, (_, id) => read(id)));
    };
    expect(await bids()).toHaveLength(20);
    expect(await price()).toBeGreaterThanOrEqual(CONTINUOUS.floorPrice);

    for (let step = 0; step < STEPS; step += 1) await first.step();
    const during = await bids();
    const left = during.filter(({ exitedBlock }) => exitedBlock > 0n);
    expect(left.length).toBeGreaterThan(0);
    expect(during).toHaveLength(20 + STEPS - left.length);
    expect(await price()).toBeGreaterThan(CONTINUOUS.floorPrice);

    const second = await continuousBidders(url);
    await second.open();
    await client.mine({ blocks: 1_000 });
    // An exit or a claim for each, at most.
    for (let step = 0; step < 2 * during.length; step += 1) await second.step();
    const after = await bids();
    expect(after.filter(({ exitedBlock }) => exitedBlock === 0n)).toEqual([]);
    expect(after.filter(({ tokensFilled }) => tokensFilled > 0n)).toEqual([]);
    const balances = [...new Set(after.map(({ owner }) => owner))].map((owner) => balance(client, DEMO_TOKEN, owner));
    const claimed = (await Promise.all(balances)).reduce((sum, amount) => sum + amount, 0n);
    // What was sold, but for what each bid lost to rounding.
    const unclaimed = (await client.readContract({ ...auction, functionName: "totalCleared" })) - claimed;
    expect(unclaimed).toBeGreaterThanOrEqual(0n);
    expect(unclaimed).toBeLessThan(BigInt(after.length * STEPS));
    const newest = await client.getBlockNumber({ cacheTime: 0 });
    await second.step();
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(newest);
  },
);

it.skipIf(findAnvil() === undefined)(
  "the chain keeps the blocks of the auction's bids, however old they are (anvil)",
  async () => {
    await using stack = new AsyncDisposableStack();
    const { chain, url, client } = await startedChain(stack);
    const bidders = await continuousBidders(url);
    await bidders.open();
    const auction = {
      address: getAddress(bidders.contract),
      abi: continuousAuction.abi,
      functionName: "bids",
    } as const;
    const { startBlock } = await client.readContract({ ...auction, args: [0n] });
    const before = await client.getBlock({ blockNumber: startBlock });
    await client.mine({ blocks: 1_100 });
    await chain.forgetOldBlocks();
    expect(await client.getBlock({ blockNumber: startBlock })).toMatchObject({
      hash: before.hash,
      timestamp: before.timestamp,
    });
    await expect(client.getBlock({ blockNumber: startBlock + 100n })).rejects.toThrow("could not be found");
  },
);

function balance(client: ReturnType<typeof chainClient>, token: Address, account: Address): Promise<bigint> {
  return client.readContract({ address: token, abi: freeToken.abi, functionName: "balanceOf", args: [account] });
}
