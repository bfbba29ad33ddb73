import type { Address } from "viem";
import { walletAddress } from "../bidders/bid-identity.ts";
import type { ContinuousBidding } from "../bidders/continuous-bidding.ts";
import { Random } from "../bidders/random.ts";
import { CONTINUOUS } from "../sales/demo-sales.ts";
import { type ChainClient, chainClient, mined } from "./chain-client.ts";
import { continuousAuction } from "./continuous-auction.ts";
import { USUAL_GAS } from "./deploy-auction.ts";
import {
  type ContinuousAccounts,
  continuousAuctionAddress,
  ensureContinuousAuction,
} from "./deploy-continuous-auction.ts";

/** Bids of a new auction. */
const FIRST_BIDS = 20;
/** Owners of bids, each of several. */
const OWNERS = 40;
/** Number of these owners' wallet, which no bidder of another sale has. */
const WALLET = 0xcc;
/** Share of the steps at which somebody who was outbid leaves instead of a new bid. */
const LEAVING = 0.3;
/** Share of the clearing price by which a bid is above it at most. */
const MOST_ABOVE = 0.6;
const SEED = 2_027;
const CENT = 10_000n;

/** A placed bid, as far as the bidders remember it. */
interface PlacedBid {
  readonly id: bigint;
  readonly maxPrice: bigint;
  readonly hasLeft: boolean;
  /** Smallest units that can be claimed. */
  readonly tokensFilled: bigint;
}

/** Makes the bidders of the demo's continuous auction. Only this process may use the chain's unlocked accounts. */
export async function continuousBidders(url: string): Promise<ContinuousBidding> {
  const client = chainClient(url);
  const [, , deployer, payer] = await client.getAddresses();
  if (deployer === undefined || payer === undefined) throw new Error("the chain has fewer than four accounts");
  return new ContinuousBidders(client, { deployer, payer });
}

class ContinuousBidders implements ContinuousBidding {
  readonly contract: Address;
  readonly #client: ChainClient;
  readonly #accounts: ContinuousAccounts;
  readonly #auction: { readonly address: Address; readonly abi: typeof continuousAuction.abi };
  readonly #sender: { readonly account: Address; readonly chain: null; readonly gas: bigint };
  #random = new Random(SEED);
  /** By their numbers; unknown at first and after an error. */
  #bids: PlacedBid[] | undefined;
  /** By block. They never change. */
  readonly #checkpoints: { readonly block: bigint; readonly price: bigint }[] = [];

  constructor(client: ChainClient, accounts: ContinuousAccounts) {
    this.contract = continuousAuctionAddress(accounts).toLowerCase() as Address;
    this.#client = client;
    this.#accounts = accounts;
    this.#auction = { address: this.contract, abi: continuousAuction.abi };
    this.#sender = { account: accounts.payer, chain: null, gas: USUAL_GAS };
  }

  async open(): Promise<void> {
    await ensureContinuousAuction(this.#client, this.#accounts);
    const count = Number(await this.#count());
    if (count === 0) await this.#send("onTokensReceived", []);
    this.#random = new Random(SEED + count);
    if (count >= FIRST_BIDS) return;
    const bids = await this.#placed();
    while (bids.length < FIRST_BIDS && (await this.#isOpen())) await this.#bid(bids);
    this.#bids = bids;
  }

  async step(): Promise<void> {
    const bids = this.#bids ?? (await this.#placed());
    this.#bids = undefined;
    if (await this.#isOpen()) await this.#bidOrLeave(bids);
    else await this.#settle(bids);
    this.#bids = bids;
  }

  async #bidOrLeave(bids: PlacedBid[]): Promise<void> {
    const price = await this.#clearingPrice();
    const outbid = bids.find(({ hasLeft, maxPrice }) => !hasLeft && maxPrice < price);
    if (outbid === undefined || this.#random.next() >= LEAVING) await this.#bid(bids);
    else await this.#exit(bids, outbid);
  }

  /** Bids above the price of now, which a checkpoint finds out: no bid comes between it and this one. */
  async #bid(bids: PlacedBid[]): Promise<void> {
    await this.#send("checkpoint", []);
    const { tickSpacing } = CONTINUOUS;
    const ticks = Number((await this.#clearingPrice()) / tickSpacing);
    const above = this.#random.integer(1, Math.ceil(ticks * MOST_ABOVE));
    const maxPrice = BigInt(ticks + above) * tickSpacing;
    const amount = BigInt(this.#random.integer(2_000, 100_000)) * CENT;
    const owner = walletAddress(this.#random.integer(0, OWNERS - 1), WALLET);
    await this.#send("submitBid", [maxPrice, amount, owner, "0x"]);
    bids.push({ id: BigInt(bids.length), maxPrice, hasLeft: false, tokensFilled: 0n });
  }

  /** Lets all leave once bidding has ended, and then claims what they got. Until then blocks pass, perhaps with nobody else's help. */
  async #settle(bids: PlacedBid[]): Promise<void> {
    const nextBlock = (await this.#block()) + 1n;
    const inside = bids.find(({ hasLeft }) => !hasLeft);
    const owed = bids.find(({ tokensFilled }) => tokensFilled > 0n);
    if (inside === undefined && owed === undefined) return;
    if (nextBlock < (await this.#constant(inside === undefined ? "claimBlock" : "endBlock"))) {
      await this.#client.mine({ blocks: 1 });
    } else if (inside !== undefined) {
      await this.#exit(bids, inside);
    } else if (owed !== undefined) {
      await this.#send("claimTokens", [owed.id]);
      bids[Number(owed.id)] = { ...owed, tokensFilled: 0n };
    }
  }

  async #exit(bids: PlacedBid[], { id, maxPrice }: PlacedBid): Promise<void> {
    await this.#send("checkpoint", []);
    if (maxPrice > (await this.#clearingPrice())) await this.#send("exitBid", [id]);
    else await this.#send("exitPartiallyFilledBid", [id, ...(await this.#hints(maxPrice))]);
    bids[Number(id)] = await this.#read(id);
  }

  /** Returns the last checkpoint below a price and the first above it, or 0 if there is none. */
  async #hints(maxPrice: bigint): Promise<readonly [bigint, bigint]> {
    await this.#addCheckpoints();
    const below = this.#checkpoints.findLast(({ price }) => price < maxPrice);
    return [below?.block ?? 0n, this.#checkpoints.find(({ price }) => price > maxPrice)?.block ?? 0n];
  }

  /** Adds the checkpoints that aren't known. The contract lists them backwards; the chain has forgotten the logs of old ones. */
  async #addCheckpoints(): Promise<void> {
    const known = this.#checkpoints.at(-1)?.block ?? 0n;
    const added: { block: bigint; price: bigint }[] = [];
    let block = await this.#client.readContract({ ...this.#auction, functionName: "lastCheckpointedBlock" });
    while (block > known) {
      const read = await this.#client.readContract({ ...this.#auction, functionName: "checkpoints", args: [block] });
      added.unshift({ block, price: read.clearingPrice });
      block = read.prev;
    }
    this.#checkpoints.push(...added);
  }

  async #placed(): Promise<PlacedBid[]> {
    return Promise.all(Array.from({ length: Number(await this.#count()) }, (_, id) => this.#read(BigInt(id))));
  }

  async #read(id: bigint): Promise<PlacedBid> {
    const bid = await this.#client.readContract({ ...this.#auction, functionName: "bids", args: [id] });
    return { id, maxPrice: bid.maxPrice, hasLeft: bid.exitedBlock > 0n, tokensFilled: bid.tokensFilled };
  }

  /** Whether a checkpoint and a bid after it would still be in time. */
  async #isOpen(): Promise<boolean> {
    return (await this.#block()) + 2n < (await this.#constant("endBlock"));
  }

  #count(): Promise<bigint> {
    return this.#client.readContract({ ...this.#auction, functionName: "nextBidId" });
  }

  #clearingPrice(): Promise<bigint> {
    return this.#client.readContract({ ...this.#auction, functionName: "clearingPrice" });
  }

  #constant(functionName: "endBlock" | "claimBlock"): Promise<bigint> {
    return this.#client.readContract({ ...this.#auction, functionName });
  }

  #block(): Promise<bigint> {
    return this.#client.getBlockNumber({ cacheTime: 0 });
  }

  async #send(functionName: string, args: readonly unknown[]): Promise<void> {
    const call = { ...this.#auction, functionName, args, ...this.#sender };
    await mined(this.#client, await this.#client.writeContract(call as Parameters<ChainClient["writeContract"]>[0]));
  }
}
