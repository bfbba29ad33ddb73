import { SourceFault } from "../base/source-fault.ts";
import type { ContractCall } from "./contract-call.ts";
import { EmptyAnswer, type PinnedBlock } from "./pinned-block.ts";
import { RpcFault, type RpcFaultKind } from "./rpc-fault.ts";

/** Failures that are the contract's own, whichever node is asked. */
const OF_CONTRACT: ReadonlySet<RpcFaultKind> = new Set(["reverted", "too_large"]);

/**
 * Returns undefined if the contract has no such function, or its answer isn't of the function's type.
 *
 * @throws SourceFault if the nodes don't answer
 */
export async function callOrAbsent<Result>(
  pinned: PinnedBlock,
  call: ContractCall<Result>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  try {
    return await pinned.call(call, signal);
  } catch (error) {
    if (!(error instanceof SourceFault) || isOfNode(error)) throw error;
    return undefined;
  }
}

function isOfNode(error: SourceFault): boolean {
  if (error instanceof RpcFault) return !OF_CONTRACT.has(error.kind);
  return !(error instanceof EmptyAnswer) && !(error.cause instanceof RangeError);
}
