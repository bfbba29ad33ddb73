import { type Address, BaseError, ContractFunctionRevertedError } from "viem";
import type { DemoSale } from "../sales/demo-sales.ts";
import { type ChainClient, mined } from "./chain-client.ts";
import { freeToken } from "./free-token.ts";
import { permitSale } from "./permit-sale.ts";

/** The contract's address. It is always this one, because anvil's first account deploys it in its first transaction. */
export const AUCTION_CONTRACT = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
/** Gas of any transaction but those with many bids. */
export const USUAL_GAS = 8_000_000n;

const COMMITMENT_STAGE = 1;
/** The number that the service which runs reference sales sets. */
const MAX_WALLETS_PER_ENTITY = 30;
const CONTRACT = { address: AUCTION_CONTRACT, abi: permitSale.abi } as const;

/** Accounts of the local chain. */
export interface ChainAccounts {
  /** Owns the contract; its first transaction deploys it. */
  readonly owner: Address;
  readonly other: Address;
}

/**
 * Deploys whatever the auction needs and the chain doesn't have: its contract, open for bids, and the tokens that it takes.
 *
 * @returns whether the contract verifies purchase permits. One that an older version of the demo deployed doesn't, and its
 *   tokens stay fictional.
 */
export async function ensureAuction(
  client: ChainClient,
  accounts: ChainAccounts,
  sale: DemoSale,
): Promise<{ readonly takesPermits: boolean }> {
  await ensureDeployed(client, accounts.owner, sale);
  await ensureOpen(client, accounts.owner);
  const takesPermits = await verifiesPermits(client);
  if (takesPermits) await ensureTokens(client, accounts.other, sale);
  return { takesPermits };
}

async function verifiesPermits(client: ChainClient): Promise<boolean> {
  try {
    await client.readContract({ ...CONTRACT, functionName: "maxWalletsPerEntity" });
    return true;
  } catch (error) {
    const isReverted = (cause: unknown) => cause instanceof ContractFunctionRevertedError;
    if (error instanceof BaseError && error.walk(isReverted) !== null) return false;
    throw error;
  }
}

async function ensureDeployed(client: ChainClient, account: Address, { uuid, tokens }: DemoSale): Promise<void> {
  if ((await client.getCode({ address: AUCTION_CONTRACT })) !== undefined) return;
  const hash = await client.deployContract({
    ...permitSale,
    args: [`0x${uuid.replaceAll("-", "")}`, tokens as readonly Address[], MAX_WALLETS_PER_ENTITY],
    account,
    chain: null,
    gas: USUAL_GAS,
  });
  const { contractAddress } = await mined(client, hash);
  if (contractAddress?.toLowerCase() !== AUCTION_CONTRACT) {
    throw new Error(`the contract was deployed at ${contractAddress} rather than at ${AUCTION_CONTRACT}`);
  }
}

async function ensureOpen(client: ChainClient, account: Address): Promise<void> {
  if ((await client.readContract({ ...CONTRACT, functionName: "stage" })) === COMMITMENT_STAGE) return;
  const args = [COMMITMENT_STAGE] as const;
  const call = { ...CONTRACT, functionName: "setStage", args, account, chain: null, gas: USUAL_GAS } as const;
  await mined(client, await client.writeContract(call));
}

async function ensureTokens(client: ChainClient, account: Address, { definition }: DemoSale): Promise<void> {
  for (const { address, symbol } of definition.paymentTokens) await ensureToken(client, account, { address, symbol });
}

/**
 * Puts a token that anybody may mint at an address of a fictional one, with its symbol, unless it is there. One after another: anvil
 * gives two transactions of an account that it gets at the same time the same nonce, and then refuses one of them.
 */
export async function ensureToken(
  client: ChainClient,
  account: Address,
  { address: text, symbol }: { readonly address: string; readonly symbol: string },
): Promise<void> {
  const address = text as Address;
  if ((await client.getCode({ address })) === undefined) {
    await client.setCode({ address, bytecode: freeToken.deployedBytecode });
  }
  const token = { address, abi: freeToken.abi } as const;
  if ((await client.readContract({ ...token, functionName: "symbol" })) !== "") return;
  const call = { ...token, functionName: "setSymbol", args: [symbol], account, chain: null } as const;
  await mined(client, await client.writeContract({ ...call, gas: USUAL_GAS }));
}
