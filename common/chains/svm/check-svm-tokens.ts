import type { SolanaRpcApi } from "@solana/rpc";
import type { SvmChain } from "../base/chain.ts";
import type { TokenCheck } from "../base/token-check.ts";
import { type OwnedAccount, ownedAccountList } from "./account-answer.ts";
import { isSvmAddress } from "./svm-address.ts";
import type { SvmRpc } from "./svm-rpc.ts";
import { decodeTokenMint, TOKEN_PROGRAMS } from "./token-mint.ts";

/** A type that the library distinguishes although its values are plain strings. */
type RpcAddress = Parameters<SolanaRpcApi["getMultipleAccounts"]>[0][number];

/** Reads decimals and symbols of mints. @throws SourceFault if the nodes don't answer */
export async function checkSvmTokens(
  { commitment }: Pick<SvmChain, "commitment">,
  addresses: readonly string[],
  rpc: SvmRpc,
  signal: AbortSignal,
): Promise<readonly TokenCheck[]> {
  const wanted = addresses.filter(isSvmAddress);
  const accounts = wanted.length === 0 ? [] : await readAccounts(wanted, commitment, rpc, signal);
  const accountsByAddress = new Map(wanted.map((address, index) => [address, accounts[index]]));
  return addresses.map((address) => tokenCheck(address, accountsByAddress.get(address)));
}

async function readAccounts(
  addresses: readonly string[],
  commitment: SvmChain["commitment"],
  rpc: SvmRpc,
  signal: AbortSignal,
): Promise<readonly (OwnedAccount | undefined)[]> {
  const config = { commitment, encoding: "base64" } as const;
  const methods = await rpc();
  const answer: unknown = await methods
    .getMultipleAccounts(addresses as RpcAddress[], config)
    .send({ abortSignal: signal });
  return ownedAccountList(answer, addresses.length);
}

function tokenCheck(address: string, account: OwnedAccount | undefined): TokenCheck {
  const mint = account !== undefined && TOKEN_PROGRAMS.has(account.owner) ? decodeTokenMint(account.data) : undefined;
  if (mint !== undefined) return { address, ...mint };
  return { address, problem: `there is no token mint at ${address} on this chain: check the address` };
}
