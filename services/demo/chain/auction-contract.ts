import { Buffer } from "node:buffer";
import type { Address } from "viem";
import type { Bid } from "../bidders/bid.ts";
import type { BidBook } from "../bidders/bid-book.ts";
import { entityId, entityNumber, isSimulated, walletAddress } from "../bidders/bid-identity.ts";
import type { DemoSale } from "../sales/demo-sales.ts";
import { type ChainClient, chainClient, mined } from "./chain-client.ts";
import { AUCTION_CONTRACT, ensureAuction, USUAL_GAS } from "./deploy-auction.ts";
import { permitSale } from "./permit-sale.ts";

const PAGE_ROWS = 500n;
const BIDS_PER_BLOCK = 30;
/** A first bid costs 140,000 at most. The limit is fixed here because an estimate would run each transaction twice. */
const GAS_PER_BID = 300_000n;

/** keccak256("PURCHASE_PERMIT_SIGNER_ROLE") */
const SIGNER_ROLE = "0xb0162d5e61a8d5e2c26413420aa1072eaa0a79f8be9b289410cf8a1b65ce5386";

/** The contract of the demo's auction. */
export interface OpenAuction {
  readonly book: BidBook;
  /** Makes the contract accept permits of a signer, by its address; absent if the contract is one that knows no permits. */
  readonly grantSigner?: (signer: string) => Promise<void>;
}

/**
 * Opens the contract of the demo's auction on the local chain, and deploys it first if the chain is new. Only this process may
 * use the chain's unlocked accounts.
 *
 * @throws Error if the chain isn't the demo's.
 */
export async function openAuctionContract(url: string, sale: DemoSale): Promise<OpenAuction> {
  const client = chainClient(url);
  const [owner, other] = await client.getAddresses();
  if (owner === undefined || other === undefined) throw new Error("the chain has no accounts");
  const { takesPermits } = await ensureAuction(client, { owner, other }, sale);
  const book = new AuctionContract(client, owner);
  if (!takesPermits) return { book };
  return { book, grantSigner: (signer) => grantSigner(client, owner, signer as Address) };
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
    // A block may not be older than its parent, and somebody's own bid may just have made that one newer.
    if (wantedTimestamp >= earliest) await client.setNextBlockTimestamp({ timestamp: wantedTimestamp }).catch(() => {});
    const hash = await client.writeContract({
      address: AUCTION_CONTRACT,
      abi: permitSale.abi,
      functionName: "bidMany",
      args: [inputs],
      account: this.#account,
      chain: null,
      gas: USUAL_GAS + GAS_PER_BID * BigInt(bids.length),
    });
    await mined(client, hash);
  }
}

/** Makes the auction's contract accept permits of a signer. Does nothing if it does already. */
async function grantSigner(client: ChainClient, owner: Address, signer: Address): Promise<void> {
  const contract = { address: AUCTION_CONTRACT, abi: permitSale.abi, args: [SIGNER_ROLE, signer] } as const;
  if (await client.readContract({ ...contract, functionName: "hasRole" })) return;
  const call = { ...contract, functionName: "grantRole", account: owner, chain: null, gas: USUAL_GAS } as const;
  await mined(client, await client.writeContract(call));
}

type Hex = `0x${string}`;

/** The input of `bid` in test/contracts/PermitSale.sol: the price replaces the previous one, amounts are added. */
interface ContractBid {
  /** 16 bytes. */
  readonly entity: Hex;
  readonly price: bigint;
  readonly lockup: boolean;
  /** The amounts to add, at least one. */
  readonly added: readonly { readonly wallet: Hex; readonly token: Hex; readonly amount: bigint }[];
  readonly extraData: Hex;
}

/** A row of that contract. */
export interface ContractRow {
  readonly saleSpecificEntityID: Hex;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
  readonly price: bigint;
  readonly refunded: boolean;
  readonly amounts: readonly { readonly token: Hex; readonly amount: bigint }[];
}

/** The contract's input that turns an entity's previous bid into `bid`. Price and amounts must not have fallen. */
export function contractBid(bid: Bid, before: Bid | undefined): ContractBid {
  const amounts = bid.amounts.map(({ wallet, token, amount }, index) => ({
    wallet: walletAddress(bid.entity, wallet),
    token: token as Hex,
    amount: amount - (before?.amounts[index]?.amount ?? 0n),
  }));
  const grown = amounts.filter(({ amount }) => amount > 0n);
  return {
    entity: `0x${Buffer.from(entityId(bid.entity)).toString("hex")}`,
    price: bid.priceTicks,
    lockup: false,
    // The contract requires one. If only the price has risen, it is an amount of 0.
    added: grown.length > 0 ? grown : amounts.slice(0, 1),
    extraData: "0x",
  };
}

/** Returns the rows of simulated bidders, without those of people who bid with a permit. */
export function simulatedRows<Row extends Pick<ContractRow, "saleSpecificEntityID">>(rows: readonly Row[]): Row[] {
  return rows.filter(({ saleSpecificEntityID: id }) => isSimulated(Buffer.from(id.slice(2), "hex")));
}

/** The bid in a row of the contract, which lists an entity's pairs in the order of its wallets. */
export function bidOfRow({ saleSpecificEntityID, timestamp, price, refunded, amounts }: ContractRow): Bid {
  return {
    entity: entityNumber(Buffer.from(saleSpecificEntityID.slice(2), "hex")),
    createdAtSeconds: timestamp,
    priceTicks: price,
    refunded,
    amounts: amounts.map(({ token, amount }, wallet) => ({ wallet, token: token.toLowerCase(), amount })),
  };
}
