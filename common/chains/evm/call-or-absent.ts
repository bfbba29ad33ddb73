import { SourceFault } from "../base/source-fault.ts";
import type { ContractCall } from "./contract-call.ts";
import { EmptyAnswer, type PinnedBlock } from "./pinned-block.ts";
import { RpcFault, type RpcFaultKind } from "./rpc-fault.ts";

/** Failures that are the contract's own, whichever node is asked. */
const OF_CONTRACT: ReadonlySet<RpcFaultKind> = new Set(["reverted", "too_large"]);

/**
 * Returns undefined if the contract has no such function, or its answer isn't of the function's type. Another URL, where there is one, is
 * believed against one that says so.
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
    if (!(error instanceof RpcFault) || error.kind !== "reverted") return undefined;
    const second = await pinned.secondAnswer(call, signal);
    return second.kind === "answered" ? second.result : undefined;
  }
}

function isOfNode(error: SourceFault): boolean {
  if (error instanceof RpcFault) return !OF_CONTRACT.has(error.kind);
  return !(error instanceof EmptyAnswer) && !(error.cause instanceof RangeError);
}
