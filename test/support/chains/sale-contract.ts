import { type Abi, type Address, encodeDeployData, type Hex, hexToBytes } from "viem";
import type { SourceCommitment } from "../../../common/contracts/source-commitment.ts";
import { auctionSale } from "../../contracts/artefacts/auction-sale.ts";
import { manyPerEntitySale } from "../../contracts/artefacts/many-per-entity-sale.ts";
import { saleVersion1 } from "../../contracts/artefacts/sale-version-1.ts";
import { saleVersion2 } from "../../contracts/artefacts/sale-version-2.ts";
import { silentSale } from "../../contracts/artefacts/silent-sale.ts";
import { unreliableSale } from "../../contracts/artefacts/unreliable-sale.ts";
import { wideSale } from "../../contracts/artefacts/wide-sale.ts";
import type { ContractCall, TestChain, TestClient } from "./test-chain.ts";

/** Rows in one call of `readDirect`. */
const PAGE_ROWS = 500n;
const BIDS_PER_TRANSACTION = 1_000;
/** Few blocks: anvil keeps a copy of the state for each. */
const BIDS_PER_BLOCK = 25_000;
/** A first bid with two wallet-token pairs takes 120,000; a block holds transactions by what they may take. */
const GAS_PER_BID = 90_000n;
const GAS_PER_PAIR = 45_000n;
const GAS_PER_EXTRA_BYTE = 800n;
/** Gas of a row with a handful of amounts, which SilentSale stores in three words each. */
const GAS_PER_ROW = 800_000n;
/** Gas of the settlement of a row with a dozen wallet-token pairs. */
const GAS_PER_SETTLEMENT = 60_000n;
const GAS_PER_WIDE_ROW = 30_000n;
const GAS_AROUND = 1_000_000n;

export const SALE_UUID = "0x0f1e2d3c4b5a69788796a5b4c3d2e1f0";
export const TOKENS: readonly [Address, Address] = [`0x${"a1".repeat(20)}`, `0x${"a2".repeat(20)}`];

export interface WalletTokenAmount {
  readonly wallet: Address;
  readonly token: Address;
  readonly amount: bigint;
}

/** An entity's bid: price and lockup replace the previous ones, amounts are added. */
export interface BidInput {
  /** 16 bytes. */
  readonly entity: Hex;
  readonly price: bigint;
  readonly lockup: boolean;
  /** The amounts to add, at least one; each sum below 2^88. */
  readonly added: readonly WalletTokenAmount[];
  /** `0x` leaves what was there. */
  readonly extraData: Hex;
}

/** A row as the contracts store and answer it. */
export interface CommitmentRow {
  readonly commitmentID: Hex;
  readonly saleSpecificEntityID: Hex;
  readonly timestamp: bigint;
  readonly price: bigint;
  readonly lockup: boolean;
  readonly refunded: boolean;
  readonly amounts: readonly WalletTokenAmount[];
  readonly extraData: Hex;
}

export interface AuctionSaleOptions {
  /** 16 bytes; `SALE_UUID` by default. */
  readonly saleUuid?: Hex;
  /** `TOKENS` by default. */
  readonly tokens?: readonly Address[];
  /** Whether cancelled commitments keep their amounts, as in the older contract; false by default. */
  readonly cancelledKeepsAmounts?: boolean;
}

/** Deploys test/contracts/AuctionSale.sol at stage 0. */
export function deployAuctionSale(chain: TestChain, options: AuctionSaleOptions = {}): Promise<Address> {
  return chain.deploy(encodeDeployData({ ...auctionSale, args: constructorArguments(options) }));
}

/** Deploys the sale with the stages and cancellations of a version of the reference contract, at stage 0. */
export function deployVersionedSale(
  chain: TestChain,
  version: 1 | 2,
  saleUuid: Hex,
  tokens: readonly Address[] = TOKENS,
): Promise<Address> {
  const { abi, bytecode } = version === 1 ? saleVersion1 : saleVersion2;
  return chain.deploy(encodeDeployData({ abi, bytecode, args: [saleUuid, tokens] }));
}

/** Deploys test/contracts/UnreliableSale.sol, which also has all functions of auctions. @param setUp as of `TestChain.deploy` */
export function deployUnreliableSale(
  chain: TestChain,
  options: AuctionSaleOptions = {},
  setUp?: Parameters<TestChain["deploy"]>[1],
): Promise<Address> {
  return chain.deploy(encodeDeployData({ ...unreliableSale, args: constructorArguments(options) }), setUp);
}

export function deploySilentSale(chain: TestChain): Promise<Address> {
  return chain.deploy(silentSale.bytecode);
}

export function deployManyPerEntitySale(chain: TestChain): Promise<Address> {
  return chain.deploy(manyPerEntitySale.bytecode);
}

/** Deploys test/contracts/WideSale.sol: all entities have these wallets, and an amount in each of `TOKENS` from each. */
export function deployWideSale(chain: TestChain, wallets: readonly Address[]): Promise<Address> {
  const { abi, bytecode } = wideSale;
  return chain.deploy(encodeDeployData({ abi, bytecode, args: [wallets, TOKENS] }));
}

const auctionCall = callsOf(auctionSale.abi);
const version2Call = callsOf(saleVersion2.abi);
const unreliableCall = callsOf(unreliableSale.abi);
const silentCall = callsOf(silentSale.abi);
const manyPerEntityCall = callsOf(manyPerEntitySale.abi);
const wideCall = callsOf(wideSale.abi);

/** Calls of AuctionSale, for `TestChain.send` and the replacements of `TestChain.reorg`. */
export const auctionCalls = {
  bid: (sale: Address, bid: BidInput) => auctionCall(sale, "bid", [bid]),
  bidMany: (sale: Address, bids: readonly BidInput[]) =>
    auctionCall(
      sale,
      "bidMany",
      [bids],
      bids.map(bidGas).reduce((sum, gas) => sum + gas, GAS_AROUND),
    ),
  cancel: (sale: Address, entity: Hex) => auctionCall(sale, "cancel", [entity]),
  reduce: (sale: Address, entity: Hex, { wallet, token, amount }: WalletTokenAmount) =>
    auctionCall(sale, "reduce", [entity, wallet, token, amount]),
  setStage: (sale: Address, stage: number) => auctionCall(sale, "setStage", [stage]),
  /** Marks the rows from `from` (inclusive) to `to` (exclusive) as refunded. */
  settle: (sale: Address, from: bigint, to: bigint) =>
    auctionCall(sale, "settle", [from, to], GAS_AROUND + GAS_PER_SETTLEMENT * (to - from)),
  addPaymentToken: (sale: Address, token: Address) => auctionCall(sale, "addPaymentToken", [token]),
};

/** Calls of SaleVersion2 beyond those of AuctionSale. */
export const version2Calls = {
  /** Sets what is accepted of an entity's pair of wallet and token, in settlement. */
  allocate: (sale: Address, entity: Hex, { wallet, token, amount }: WalletTokenAmount) =>
    version2Call(sale, "setAllocations", [[{ entity, wallet, token, acceptedAmount: amount }], true]),
};

/** Calls of UnreliableSale beyond those of AuctionSale. */
export const unreliableCalls = {
  setPriceSilently: (sale: Address, entity: Hex, price: bigint) =>
    unreliableCall(sale, "setPriceSilently", [entity, price]),
  setPriceUnheard: (sale: Address, entity: Hex, price: bigint) =>
    unreliableCall(sale, "setPriceUnheard", [entity, price]),
  setVersion: (sale: Address, major: number) => unreliableCall(sale, "setVersion", [major]),
  setSurplus: (sale: Address, surplus: bigint) => unreliableCall(sale, "setSurplus", [surplus]),
};

/** Calls of SilentSale. */
export const silentCalls = {
  push: (sale: Address, rows: readonly CommitmentRow[]) =>
    silentCall(sale, "push", [rows], GAS_AROUND + GAS_PER_ROW * BigInt(rows.length)),
  set: (sale: Address, index: bigint, row: CommitmentRow) => silentCall(sale, "set", [index, row]),
  swap: (sale: Address, first: bigint, second: bigint) => silentCall(sale, "swap", [first, second]),
  /** Removes a row; the last row takes its place. */
  remove: (sale: Address, index: bigint) => silentCall(sale, "remove", [index]),
};

/** Calls of ManyPerEntitySale. */
export const manyPerEntityCalls = {
  bid: (sale: Address, entity: Hex, price: bigint, { wallet, token, amount }: WalletTokenAmount) =>
    manyPerEntityCall(sale, "bid", [entity, price, wallet, token, amount]),
  /** Adds to the first amount of the commitment at `index`. */
  increase: (sale: Address, index: bigint, amount: bigint) => manyPerEntityCall(sale, "increase", [index, amount]),
};

/** Calls of WideSale. */
export const wideCalls = {
  /** Adds entities, whose amounts are their numbers. */
  commit: (sale: Address, count: number) =>
    wideCall(sale, "commit", [BigInt(count)], GAS_AROUND + GAS_PER_WIDE_ROW * BigInt(count)),
};

/** Places any number of bids in transactions of 1,000 and blocks of 25,000; 100,000 take seconds. */
export async function placeBids(chain: TestChain, sale: Address, bids: readonly BidInput[]): Promise<void> {
  for (let from = 0; from < bids.length; from += BIDS_PER_TRANSACTION) {
    if (from > 0 && from % BIDS_PER_BLOCK === 0) await chain.mine();
    await chain.send(auctionCalls.bidMany(sale, bids.slice(from, from + BIDS_PER_TRANSACTION)));
  }
  await chain.mine();
}

/**
 * All rows of any of the contracts at a block, by default the latest, read by viem alone, to compare readers with.
 *
 * @param pageRows rows in one call.
 */
export async function readDirect(
  client: TestClient,
  address: Address,
  blockNumber?: bigint,
  pageRows = PAGE_ROWS,
): Promise<SourceCommitment[]> {
  const block = blockNumber ?? (await client.getBlockNumber({ cacheTime: 0 }));
  const contract = { address, abi: auctionSale.abi, blockNumber: block } as const;
  const count = await client.readContract({ ...contract, functionName: "numCommitments" });
  const rows: SourceCommitment[] = [];
  for (let from = 0n; from < count; from += pageRows) {
    let to = from + pageRows;
    if (to > count) to = count;
    const page = await client.readContract({ ...contract, functionName: "readCommitmentDataIn", args: [from, to] });
    for (const row of page) rows.push(sourceCommitment(row, BigInt(rows.length)));
  }
  return rows;
}

function sourceCommitment(row: CommitmentRow, sourceIndex: bigint): SourceCommitment {
  return {
    commitmentId: row.commitmentID.slice(2),
    entityId: row.saleSpecificEntityID.slice(2),
    createdAtSeconds: row.timestamp,
    priceTicks: row.price,
    lockup: row.lockup,
    refunded: row.refunded,
    amounts: row.amounts.map(({ wallet, token, amount }) => ({
      wallet: wallet.toLowerCase(),
      token: token.toLowerCase(),
      amount,
    })),
    extraData: hexToBytes(row.extraData),
    sourceIndex,
  };
}

function constructorArguments({
  saleUuid = SALE_UUID,
  tokens = TOKENS,
  cancelledKeepsAmounts = false,
}: AuctionSaleOptions) {
  return [saleUuid, tokens, cancelledKeepsAmounts] as const;
}

function bidGas({ added, extraData }: BidInput): bigint {
  return GAS_PER_BID + GAS_PER_PAIR * BigInt(added.length) + GAS_PER_EXTRA_BYTE * BigInt(extraData.length / 2);
}

/** Builds calls of a contract. @param gas limit, if the default isn't enough. */
function callsOf(abi: Abi) {
  return (address: Address, functionName: string, args: readonly unknown[], gas?: bigint): ContractCall => ({
    address,
    abi,
    functionName,
    args,
    ...(gas === undefined ? {} : { gas }),
  });
}
