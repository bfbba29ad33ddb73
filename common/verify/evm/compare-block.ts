import type { EvmEndpoint } from "../../chains/evm/evm-endpoint.ts";
import { readBlock } from "../../chains/evm/read-block.ts";
import type { Checks } from "../compare/checks.ts";
import { OtherBlock } from "../compare/other-block.ts";
import type { ShownSale } from "../compare/shown-sale.ts";

/**
 * Compares the block up to which the figures are said to be current with the block of that height.
 *
 * @throws OtherBlock if the chain has another one; SourceFault
 */
export async function compareBlock(
  endpoint: EvmEndpoint,
  { asOf }: Pick<ShownSale, "asOf">,
  checks: Checks,
  signal: AbortSignal,
): Promise<void> {
  if (asOf === undefined) {
    checks.skipped("block", "Tidemark doesn't say up to which block the figures are current");
    return;
  }
  const block = await readBlock(endpoint, asOf.height, signal);
  // A node that lags is found out where the contract is read.
  if (block === undefined) {
    checks.skipped("block", `the node doesn't have block ${asOf.height}`);
    return;
  }
  if (block.hash !== asOf.hash) throw new OtherBlock(asOf, block.hash);
  checks.covers("block", `${asOf.height}, 0x${asOf.hash}`);
  if (asOf.timeSeconds === undefined || block.timeSeconds === undefined) return;
  checks.compare("block", `time of block ${asOf.height}`, asOf.timeSeconds, block.timeSeconds);
}
