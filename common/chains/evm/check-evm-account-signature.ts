import type { AccountSignature, AccountSignatureCheck } from "../base/account-signature.ts";
import { isMagicValue, isValidSignatureData } from "./account-call.ts";
import type { EvmEndpoint } from "./evm-endpoint.ts";
import { RpcFault, type RpcFaultKind } from "./rpc-fault.ts";

/** Enough for accounts of several owners, and for one that checks a passkey's signature without the chain's help. */
const GAS = 2_000_000;
/** Failures that are the account's own, whichever node is asked. */
const OF_ACCOUNT: ReadonlySet<RpcFaultKind> = new Set(["reverted", "too_large"]);

/**
 * Asks a smart account at the head whether a signature is its own. One that reverts, uses up its gas or answers anything but the
 * magic value says no.
 *
 * @throws SourceFault if the nodes don't answer
 */
export async function checkEvmAccountSignature(
  endpoint: Pick<EvmEndpoint, "request" | "answer">,
  { account, digest, signature }: AccountSignature,
  signal: AbortSignal,
): Promise<AccountSignatureCheck> {
  const code = await endpoint.request("eth_getCode", [account, "latest"], signal);
  if (code === "0x") return { valid: false, hasCode: false };
  const call = { to: account, data: isValidSignatureData(digest, signature), gas: `0x${GAS.toString(16)}` };
  try {
    // Heavy, so that no other node and no second round is tried with a contract that uses up its gas.
    const { result } = await endpoint.answer("eth_call", [call, "latest"], signal, { heavy: true });
    return { valid: isMagicValue(result), hasCode: true };
  } catch (error) {
    if (!(error instanceof RpcFault) || !OF_ACCOUNT.has(error.kind)) throw error;
    return { valid: false, hasCode: true };
  }
}
