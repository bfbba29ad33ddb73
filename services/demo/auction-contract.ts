import { type Address, createTestClient, http, publicActions, walletActions } from "viem";
import type { Bid } from "./bid.ts";
import type { BidBook } from "./bid-book.ts";
import { bidOfRow, contractBid, simulatedRows } from "./contract-bid.ts";
import { permitSale } from "./contracts/permit-sale.ts";
import type { DemoSale } from "./demo-sales.ts";

/** The contract's address. It is always this one, because anvil's first account deploys it in its first transaction. */
export const AUCTION_CONTRACT = "0x5fbdb2315678afecb367f032d93f642f64180aa3";

const COMMITMENT_STAGE = 1;
/** As the service that runs reference sales sets it. */
const MAX_WALLETS_PER_ENTITY = 30;
const PAGE_ROWS = 500n;
const BIDS_PER_BLOCK = 30;
/** A first bid costs 140,000 at most. The limit is fixed here because an estimate would run each transaction twice. */
const GAS_PER_BID = 300_000n;
const GAS_AROUND = 8_000_000n;
const REQUEST_TIMEOUT_MS = 5_000;
const POLL_MS = 20;

type ChainClient = ReturnType<typeof chainClient>;

/**
 * Opens the contract of the demo's auction on the local chain, and deploys it first if the chain is new. Nobody else
 * should send transactions to that chain.
 *
 * @throws Error if the chain isn't the demo's.
 */
export async function openAuctionContract(url: string, sale: DemoSale): Promise<BidBook> {
  const client = chainClient(url);
  const [account] = await client.getAddresses();
  if (account === undefined) throw new Error("the chain has no account");
  await ensureDeployed(client, account, sale);
  await ensureOpen(client, account);
  return new AuctionContract(client, account);
}

class AuctionContract implements BidBook {
  readonly takesCancellations = false;
  readonly #client: ChainClient;
  readonly #account: Address;
  /** The contract's bids by entity; unknown at first and after a failure. */
  #latest: Map<number, Bid> | undefined;

  constructor(client: ChainClient, account: Address) {
    this.#client = client;
    this.#account = account;
  }

  async placed(): Promise<readonly Bid[]> {
    const client = this.#client;
    const contract = { address: AUCTION_CONTRACT, abi: permitSale.abi } as const;
    const count = await client.readContract({ ...contract, functionName: "numCommitments" });
    const bids: Bid[] = [];
    for (let from = 0n; from < count; from += PAGE_ROWS) {
      const to = from + PAGE_ROWS < count ? from + PAGE_ROWS : count;
      const rows = await client.readContract({ ...contract, functionName: "readCommitmentDataIn", args: [from, to] });
      bids.push(...simulatedRows(rows).map(bidOfRow));
    }
    return bids;
  }

  /** Places up to 30 bids in a block, which gets the time of its last bid. */
  async place(bids: readonly Bid[]): Promise<void> {
    this.#latest ??= new Map((await this.placed()).map((bid) => [bid.entity, bid]));
    try {
      for (let from = 0; from < bids.length; from += BIDS_PER_BLOCK) {
        await this.#placeBlock(bids.slice(from, from + BIDS_PER_BLOCK), this.#latest);
      }
    } catch (error) {
      this.#latest = undefined;
      throw error;
    }
  }

  async #placeBlock(bids: readonly Bid[], latest: Map<number, Bid>): Promise<void> {
    const inputs = bids.map((bid) => {
      const input = contractBid(bid, latest.get(bid.entity));
      latest.set(bid.entity, bid);
      return input;
    });
    const client = this.#client;
    const { timestamp: earliest } = await client.getBlock();
    const wantedTimestamp = bids.at(-1)?.createdAtSeconds ?? earliest;
    // A block may not be older than its parent.
    if (wantedTimestamp >= earliest) await client.setNextBlockTimestamp({ timestamp: wantedTimestamp });
    const hash = await client.writeContract({
      address: AUCTION_CONTRACT,
      abi: permitSale.abi,
      functionName: "bidMany",
      args: [inputs],
      account: this.#account,
      chain: null,
      gas: GAS_AROUND + GAS_PER_BID * BigInt(bids.length),
    });
    await mined(client, hash);
  }
}

async function ensureDeployed(client: ChainClient, account: Address, { uuid, tokens }: DemoSale): Promise<void> {
  if ((await client.getCode({ address: AUCTION_CONTRACT })) !== undefined) return;
  const hash = await client.deployContract({
    ...permitSale,
    args: [`0x${uuid.replaceAll("-", "")}`, tokens as readonly Address[], MAX_WALLETS_PER_ENTITY],
    account,
    chain: null,
    gas: GAS_AROUND,
  });
  const { contractAddress } = await mined(client, hash);
  if (contractAddress?.toLowerCase() !== AUCTION_CONTRACT) {
    throw new Error(`the contract was deployed at ${contractAddress} rather than at ${AUCTION_CONTRACT}`);
  }
}

async function ensureOpen(client: ChainClient, account: Address): Promise<void> {
  const contract = { address: AUCTION_CONTRACT, abi: permitSale.abi } as const;
  if ((await client.readContract({ ...contract, functionName: "stage" })) === COMMITMENT_STAGE) return;
  const args = [COMMITMENT_STAGE] as const;
  const call = { ...contract, functionName: "setStage", args, account, chain: null, gas: GAS_AROUND } as const;
  await mined(client, await client.writeContract(call));
}

async function mined(client: ChainClient, hash: `0x${string}`) {
  // While viem looks for a replacement it ignores new blocks, and this chain mines only the one for the transaction.
  const receipt = await client.waitForTransactionReceipt({
    hash,
    timeout: REQUEST_TIMEOUT_MS,
    checkReplacement: false,
  });
  if (receipt.status !== "success") throw new Error(`transaction ${hash} reverted`);
  return receipt;
}

function chainClient(url: string) {
  const transport = http(url, { timeout: REQUEST_TIMEOUT_MS, retryCount: 0 });
  return createTestClient({ mode: "anvil", transport, pollingInterval: POLL_MS, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
}
