import type { SvmChain } from "../../../chains/base/chain.ts";
import { isSvmAddress } from "../../../chains/svm/svm-address.ts";
import type { SvmRpc } from "../../../chains/svm/svm-rpc.ts";
import type { SignerCheck, SignerTarget } from "../../chain-connection.ts";
import { SaleAccounts } from "./sale-accounts.ts";

const NO_MIN_SLOT = 0n;

/** Compares a signer with `permit_signer` of a sale account. @throws SourceFault if the nodes don't answer, or there is no such account */
export async function checkSvmSigner(
  chain: SvmChain,
  { address, signer }: SignerTarget,
  rpc: SvmRpc,
  signal: AbortSignal,
): Promise<SignerCheck> {
  if (!isSvmAddress(address)) return { problem: "the sale account must be base58 of 32 bytes" };
  if (!isSvmAddress(signer)) return { problem: "the signer must be base58 of 32 bytes" };
  const { sale } = await new SaleAccounts(chain, address, rpc).withSale([], NO_MIN_SLOT, signal);
  return { accepted: sale.permitSigner === signer };
}
