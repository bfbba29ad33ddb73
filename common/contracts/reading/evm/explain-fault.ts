import { SourceFault } from "../../../chains/base/source-fault.ts";
import { contractCode } from "../../../chains/evm/contract-code.ts";
import type { EvmEndpoint } from "../../../chains/evm/evm-endpoint.ts";
import { EmptyAnswer } from "../../../chains/evm/pinned-block.ts";
import { RpcFault } from "../../../chains/evm/rpc-fault.ts";
import type { EvmFamily } from "../../evm-family.ts";

/** The contract that was read, and the node that was asked. */
interface AskedContract {
  readonly endpoint: EvmEndpoint;
  readonly contract: string;
  readonly family: EvmFamily;
}

/** Whether an error is the contract's own, which reverts or answers nothing: it may have no such function. */
export function isRefusal(error: unknown): error is SourceFault {
  return (error instanceof RpcFault && error.kind === "reverted") || error instanceof EmptyAnswer;
}

/** The error itself, or a clearer one if the reason is that the address has no sale contract. */
export async function explainFault(
  error: unknown,
  { endpoint, contract, family }: AskedContract,
  signal: AbortSignal,
): Promise<unknown> {
  if (!isRefusal(error)) return error;
  const code = await contractCode(endpoint, contract, signal).catch(() => undefined);
  if (code?.isCertain !== true) return error;
  if (!code.isPresent) {
    const problem = `there is no contract at ${contract} on this chain: check the address and the chain of the sale`;
    return new SourceFault(problem, { remedy: "mend", cause: error });
  }
  const finding = error instanceof RpcFault ? "is not a sale contract" : "does not answer like a sale contract";
  const problem = `the contract at ${contract} ${finding} (${family.names.interface}): check the address of the sale`;
  return new SourceFault(`${problem}; ${error.message}`, { remedy: "mend", cause: error });
}
