import { type Address, concatHex, encodeDeployData, type Hex, numberToHex, zeroAddress } from "viem";
import { continuousAuction } from "../../../services/demo/chain/continuous-auction.ts";
import { freeToken } from "../../../services/demo/chain/free-token.ts";
import { deployFreeToken } from "./permit-sale.ts";
import { MAX_UINT256 } from "./purchase-permit.ts";
import type { ContractCall, TestChain } from "./test-chain.ts";

export const Q96 = 2n ** 96n;

/** A part of the schedule: ten-millionths of the supply that each block issues. */
export interface AuctionStep {
  readonly mps: bigint;
  readonly blocks: bigint;
}

export interface AuctionOptions {
  readonly version: "1.0.0" | "1.1.0";
  readonly steps: readonly AuctionStep[];
  /** Smallest units of the sold token. */
  readonly supply: bigint;
  /** `Q96` by default: one for one. */
  readonly floorPrice?: bigint;
  /** `Q96` by default. */
  readonly tickSpacing?: bigint;
  /** None by default. */
  readonly hook?: Address;
  /** Whether it is paid in the chain's own coin; false by default. */
  readonly isNative?: boolean;
  /** Currency that must be raised; 0 by default. */
  readonly required?: bigint;
  /** Whether it gets its tokens; true by default. */
  readonly hasTokens?: boolean;
}

/** An auction on a test chain, before its start. */
export interface DeployedAuction {
  readonly address: Address;
  readonly abi: typeof continuousAuction.abi;
  readonly token: Address;
  /** The zero address for the chain's own coin. */
  readonly currency: Address;
  readonly steps: readonly AuctionStep[];
  readonly supply: bigint;
  readonly floorPrice: bigint;
  readonly tickSpacing: bigint;
  readonly startBlock: bigint;
  readonly endBlock: bigint;
  readonly claimBlock: bigint;
}

/** A bid to send. */
export interface AuctionBid {
  readonly maxPrice: bigint;
  readonly amount: bigint;
  readonly owner: Address;
  /** `0x` by default. */
  readonly hookData?: Hex;
  /** A tick below the price; none by default. */
  readonly previousTick?: bigint;
}

/** Blocks from the deployment to the start: enough for the transactions of its set-up, on a chain that mines each at once. */
const LEAD_BLOCKS = 10n;
/** Where unsold tokens and the currency go. */
export const TOKENS_RECIPIENT: Address = `0x${"7e".repeat(20)}`;
export const FUNDS_RECIPIENT: Address = `0x${"fd".repeat(20)}`;

/** Deploys test/contracts/ContinuousAuction.sol with its tokens. The chain's account pays for bids without further set-up. */
export async function deployContinuousAuction(chain: TestChain, options: AuctionOptions): Promise<DeployedAuction> {
  const { steps, supply, version, isNative = false, required = 0n } = options;
  const { floorPrice = Q96, tickSpacing = Q96, hook = zeroAddress, hasTokens = true } = options;
  const token = await deployFreeToken(chain);
  const currency = isNative ? zeroAddress : await deployFreeToken(chain);
  const startBlock = (await chain.client.getBlockNumber({ cacheTime: 0 })) + LEAD_BLOCKS;
  const endBlock = startBlock + steps.reduce((sum, { blocks }) => sum + blocks, 0n);
  const claimBlock = endBlock + 2n;
  const parameters = {
    currency,
    tokensRecipient: TOKENS_RECIPIENT,
    fundsRecipient: FUNDS_RECIPIENT,
    startBlock,
    endBlock,
    claimBlock,
    tickSpacing,
    validationHook: hook,
    floorPrice,
    requiredCurrencyRaised: required,
    auctionStepsData: encodedSteps(steps),
  };
  const args = [token, supply, parameters, version === "1.1.0"] as const;
  const address = await chain.deploy(encodeDeployData({ ...continuousAuction, args }));
  const { abi } = continuousAuction;
  const erc20 = { address: currency, abi: freeToken.abi };
  if (hasTokens) {
    await chain.send({ ...erc20, address: token, functionName: "mint", args: [address, supply] });
    await chain.send({ address, abi, functionName: "onTokensReceived", args: [] });
  }
  if (!isNative) {
    await chain.send({ ...erc20, functionName: "mint", args: [chain.account, 10n ** 40n] });
    await chain.send({ ...erc20, functionName: "approve", args: [address, MAX_UINT256] });
  }
  const blocks = { startBlock, endBlock, claimBlock };
  return { address, abi, token, currency, steps, supply, floorPrice, tickSpacing, ...blocks };
}

/** 3 bytes of mps and 5 bytes of blocks a step. */
export function encodedSteps(steps: readonly AuctionStep[]): Hex {
  return concatHex(
    steps.flatMap(({ mps, blocks }) => [numberToHex(mps, { size: 3 }), numberToHex(blocks, { size: 5 })]),
  );
}

/** The call that submits a bid, with its payment where that is the chain's own coin. */
export function submitBid({ address, abi, currency }: DeployedAuction, bid: AuctionBid) {
  const { maxPrice, amount, owner, hookData = "0x", previousTick } = bid;
  const hint = previousTick === undefined ? [] : [previousTick];
  const value = currency === zeroAddress ? amount : 0n;
  return {
    address,
    abi,
    functionName: "submitBid",
    args: [maxPrice, amount, owner, ...hint, hookData],
    value,
  } as const;
}

/** A call of an auction without payment. */
export function auctionCall({ address, abi }: DeployedAuction, functionName: string, ...args: readonly unknown[]) {
  return { address, abi, functionName, args } satisfies ContractCall;
}

/** Mines empty blocks until the newest one has a number. */
export async function mineTo(chain: TestChain, block: bigint): Promise<void> {
  const missing = block - (await chain.client.getBlockNumber({ cacheTime: 0 }));
  if (missing > 0n) await chain.mine(Number(missing));
}

/** Calls a function of an auction. */
type AskAuction = <Result>(name: string, ...args: readonly unknown[]) => Promise<Result>;

const END_OF_TICKS = 2n ** 256n - 1n;

/**
 * Reads the price of now from the contract's storage: sums and ticks, brought up to the bids since the last checkpoint. A forced iteration
 * leaves the tick that it has passed below the next active one only.
 */
export async function storedPrice(
  { floorPrice, supply }: DeployedAuction,
  bids: readonly { readonly maxPrice: bigint }[],
  ask: AskAuction,
): Promise<bigint> {
  let demand = await ask<bigint>("sumCurrencyDemandAboveClearingQ96");
  let tick = await ask<bigint>("nextActiveTickPrice");
  const { clearingPrice } = await ask<{ readonly clearingPrice: bigint }>("latestCheckpoint");
  const passed = bids.map(({ maxPrice }) => maxPrice).filter((price) => price < tick);
  let price = largest(floorPrice, clearingPrice, ...passed);
  const bought = () => (demand + supply - 1n) / supply;
  while (tick !== END_OF_TICKS && (demand >= supply * tick || bought() === tick)) {
    price = tick;
    const [next, atTick] = await ask<readonly [bigint, bigint]>("ticks", tick);
    demand -= atTick;
    tick = next;
  }
  return largest(price, bought());
}

function largest(first: bigint, ...others: readonly bigint[]): bigint {
  let largest = first;
  for (const other of others) if (other > largest) largest = other;
  return largest;
}
