import type { SvmRpc } from "./svm-rpc.ts";

/** Returns why a slot isn't final, for people; undefined where it is. @throws SourceFault if no node can say it */
export async function slotFinalityProblem(rpc: SvmRpc, slot: bigint, signal: AbortSignal): Promise<string | undefined> {
  const final = await (await rpc()).getSlot({ commitment: "finalized" }).send({ abortSignal: signal });
  return final >= slot ? undefined : `slot ${slot} isn't final yet: the node's last final slot is ${final}`;
}
