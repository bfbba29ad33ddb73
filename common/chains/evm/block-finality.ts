import { SourceFault } from "../base/source-fault.ts";
import type { SourcePosition } from "../base/source-position.ts";
import type { EvmEndpoint } from "./evm-endpoint.ts";
import { readBlock } from "./read-block.ts";

/**
 * Returns why a block isn't final, for people; undefined where it is: it is part of the chain, and no later than what the chain's own rule
 * calls final.
 *
 * @throws SourceFault if no node can say it
 */
export async function blockFinalityProblem(
  endpoint: EvmEndpoint,
  { height, hash }: SourcePosition,
  signal: AbortSignal,
): Promise<string | undefined> {
  const final = await readBlock(endpoint, "finalized", signal);
  if (final === undefined) return "the node calls no block final yet";
  if (final.number < height) return `block ${height} isn't final yet: the node's last final block is ${final.number}`;
  const block = await readBlock(endpoint, height, signal);
  if (block === undefined) throw new SourceFault(`the node doesn't have block ${height}`, { remedy: "wait" });
  return block.hash === hash ? undefined : `the node's chain has another block ${height}: 0x${block.hash}`;
}
