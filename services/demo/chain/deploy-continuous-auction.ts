import { type Address, concatHex, getContractAddress, maxUint256, numberToHex, zeroAddress } from "viem";
import { CONTINUOUS, DEMO_TOKEN, USDX } from "../sales/demo-sales.ts";
import { type ChainClient, mined } from "./chain-client.ts";
import { continuousAuction } from "./continuous-auction.ts";
import { ensureToken, USUAL_GAS } from "./deploy-auction.ts";
import { freeToken } from "./free-token.ts";

/** Blocks of the auction, one for each transaction: some fifteen minutes. The chain keeps more blocks than these. */
const BLOCKS = 800n;
/** Ten-millionths of the supply that a block issues. */
const MPS_A_BLOCK = 10_000_000n / BLOCKS;
/** Blocks from the end until tokens can be claimed. */
const CLAIM_BLOCKS = 20n;
/** More than all bids together. */
const FUNDS = 10n ** 30n;

/** Accounts of the local chain, which no other contract's deployment uses. */
export interface ContinuousAccounts {
  /** Deploys the contract in its first transaction, so that the address is always the same. */
  readonly deployer: Address;
  /** Pays for all bids. */
  readonly payer: Address;
}

/** Returns the contract's address. */
export function continuousAuctionAddress({ deployer }: ContinuousAccounts): Address {
  return getContractAddress({ from: deployer, nonce: 0n });
}

/**
 * Deploys the continuous auction with all that it sells, and lets it take what the payer pays, if the chain doesn't have it. It is
 * deployed last, so that an auction that is there has everything but the word that it got its tokens, which it takes twice.
 */
export async function ensureContinuousAuction(client: ChainClient, accounts: ContinuousAccounts): Promise<void> {
  const address = continuousAuctionAddress(accounts);
  if ((await client.getCode({ address })) !== undefined) return;
  await fund(client, accounts.payer, address);
  const newestBlock = await client.getBlockNumber({ cacheTime: 0 });
  const args = [DEMO_TOKEN, CONTINUOUS.supply, parameters(newestBlock, accounts.payer), true] as const;
  const sender = { account: accounts.deployer, chain: null, gas: USUAL_GAS } as const;
  await mined(client, await client.deployContract({ ...continuousAuction, args, ...sender }));
}

async function fund(client: ChainClient, account: Address, auction: Address): Promise<void> {
  const sold = { address: DEMO_TOKEN, abi: freeToken.abi, account, chain: null, gas: USUAL_GAS } as const;
  const paid = { ...sold, address: USDX } as const;
  await ensureToken(client, account, { address: DEMO_TOKEN, symbol: "DEMO" });
  // In a data folder of an older version, the other auction's tokens are still fictional.
  await ensureToken(client, account, { address: USDX, symbol: "USDX" });
  await mined(
    client,
    await client.writeContract({ ...sold, functionName: "mint", args: [auction, CONTINUOUS.supply] }),
  );
  await mined(client, await client.writeContract({ ...paid, functionName: "mint", args: [account, FUNDS] }));
  await mined(client, await client.writeContract({ ...paid, functionName: "approve", args: [auction, maxUint256] }));
}

/** Returns an auction that starts after the block of its deployment and that in which it hears of its tokens. */
function parameters(newestBlock: bigint, recipient: Address) {
  const startBlock = newestBlock + 3n;
  const endBlock = startBlock + BLOCKS;
  return {
    currency: USDX,
    tokensRecipient: recipient,
    fundsRecipient: recipient,
    startBlock,
    endBlock,
    claimBlock: endBlock + CLAIM_BLOCKS,
    tickSpacing: CONTINUOUS.tickSpacing,
    validationHook: zeroAddress,
    floorPrice: CONTINUOUS.floorPrice,
    requiredCurrencyRaised: 0n,
    auctionStepsData: concatHex([numberToHex(MPS_A_BLOCK, { size: 3 }), numberToHex(BLOCKS, { size: 5 })]),
  } as const;
}
