import type { AccountSignature, AccountSignatureCheck } from "../base/account-signature.ts";
import { contractCode } from "./contract-code.ts";
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
  endpoint: Pick<EvmEndpoint, "answer" | "urls">,
  { account, digest, signature }: AccountSignature,
  signal: AbortSignal,
): Promise<AccountSignatureCheck> {
  const { isPresent } = await contractCode(endpoint, account, signal);
  if (!isPresent) return { valid: false, hasCode: false };
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

/** `isValidSignature(bytes32,bytes)`, which is also what a smart account answers for a signature of its own (EIP-1271). */
const IS_VALID_SIGNATURE = "1626ba7e";
const MAGIC_WORD = `0x${IS_VALID_SIGNATURE.padEnd(64, "0")}`;
const WORD_DIGITS = 64;

/** The call data of `isValidSignature`. @param digest, signature `0x` and hexadecimal digits */
export function isValidSignatureData(digest: string, signature: string): string {
  const bytes = signature.slice(2);
  const words = [digest.slice(2), wordOf(2 * (WORD_DIGITS / 2)), wordOf(bytes.length / 2)];
  const padded = bytes.padEnd(Math.ceil(bytes.length / WORD_DIGITS) * WORD_DIGITS, "0");
  return `0x${IS_VALID_SIGNATURE}${words.join("")}${padded}`;
}

/** Whether a call was answered by the magic value, as one word and nothing else. */
export function isMagicValue(answer: unknown): boolean {
  return typeof answer === "string" && answer.toLowerCase() === MAGIC_WORD;
}

function wordOf(number: number): string {
  return number.toString(16).padStart(WORD_DIGITS, "0");
}
