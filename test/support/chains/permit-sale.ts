import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  encodeDeployData,
  type Hex,
  type TransactionReceipt,
} from "viem";
import { freeToken } from "../../../services/demo/chain/free-token.ts";
import { permitSale } from "../../../services/demo/chain/permit-sale.ts";
import { MAX_UINT256, type PermitBid, type PurchasePermit, SIGNER_ROLE } from "./purchase-permit.ts";
import type { ContractCall, TestChain } from "./test-chain.ts";

export interface PermitSaleOptions {
  /** 16 bytes. */
  readonly saleUuid: Hex;
  readonly tokens: readonly Address[];
  /** 30 by default. */
  readonly maxWallets?: number;
}

/** A bid with its permit. */
export interface PermittedBid {
  readonly token: Address;
  readonly bid: PermitBid;
  readonly permit: PurchasePermit;
  readonly signature: Hex;
}

/** Deploys test/contracts/PermitSale.sol at stage 0. */
export function deployPermitSale(chain: TestChain, options: PermitSaleOptions): Promise<Address> {
  const { saleUuid, tokens, maxWallets = 30 } = options;
  return chain.deploy(encodeDeployData({ ...permitSale, args: [saleUuid, tokens, maxWallets] }));
}

/** Deploys a token that anybody may mint. */
export function deployFreeToken(chain: TestChain): Promise<Address> {
  return chain.deploy(freeToken.bytecode);
}

const { abi } = permitSale;

/** Calls by the contract's owner. */
export const permitSaleCalls = {
  grantSigner: (sale: Address, signer: Address) => ownerCall(sale, "grantRole", [SIGNER_ROLE, signer]),
  revokeSigner: (sale: Address, signer: Address) => ownerCall(sale, "revokeRole", [SIGNER_ROLE, signer]),
  setPaused: (sale: Address, isPaused: boolean) => ownerCall(sale, "setPaused", [isPaused]),
};

function ownerCall(address: Address, functionName: string, args: readonly unknown[]): ContractCall {
  return { address, abi, functionName, args };
}

/** The call of a bid by permit. */
export function permittedBid(address: Address, { token, bid, permit, signature }: PermittedBid) {
  const args = [token, bid, permit, signature] as const;
  return { address, abi, functionName: "replaceBidWithApproval", args } as const;
}

/** Gives an unlocked account tokens, and lets a contract take them. On a chain that mines each transaction at once. */
export async function fund(chain: TestChain, account: Address, token: Address, spender: Address): Promise<void> {
  const { client } = chain;
  const contract = { address: token, abi: freeToken.abi, account, chain: null } as const;
  const mint = await client.writeContract({ ...contract, functionName: "mint", args: [account, 10n ** 30n] });
  await minedReceipt(chain, mint);
  const approve = await client.writeContract({ ...contract, functionName: "approve", args: [spender, MAX_UINT256] });
  await minedReceipt(chain, approve);
}

/** The receipt of a transaction that is mined at once. @throws Error if it reverted */
export async function minedReceipt({ client }: TestChain, hash: Hex): Promise<TransactionReceipt> {
  const receipt = await client.waitForTransactionReceipt({ hash, checkReplacement: false });
  if (receipt.status !== "success") throw new Error(`transaction ${hash} reverted`);
  return receipt;
}

/** The outcome of a bid by permit, without sending it: `accepted`, or its error's name with arguments. */
export function outcome(
  { client }: TestChain,
  sale: Address,
  bid: PermittedBid,
  account: Address,
): Promise<readonly unknown[]> {
  return revertOf(client.simulateContract({ ...permittedBid(sale, bid), account }));
}

/** `accepted` if a simulated call succeeds, else the name of the contract's error with its arguments. */
export async function revertOf(simulation: Promise<unknown>): Promise<readonly unknown[]> {
  try {
    await simulation;
    return ["accepted"];
  } catch (error) {
    const reverted =
      error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError);
    if (!(reverted instanceof ContractFunctionRevertedError)) throw error;
    return [reverted.data?.errorName ?? "no named error", ...(reverted.data?.args ?? [])];
  }
}
