import { SourceFault } from "../base/source-fault.ts";
import type { ComparedNode, ReportedHead } from "../nodes/head-comparison.ts";
import type { EvmEndpoint } from "./evm-endpoint.ts";
import { readBlock } from "./read-block.ts";
import type { RpcUrl } from "./rpc-url.ts";

/**
 * The nodes of an endpoint, for their comparison.
 *
 * @param slack a node must have the block this far below its head. Not its head, because the second request may reach
 *   another node behind the same load balancer that is a little behind.
 */
export function comparedNodes(endpoint: EvmEndpoint, slack: bigint): readonly ComparedNode[] {
  return endpoint.urls.map((url) => ({
    host: url.host,
    head: (signal) => headOf(endpoint, url, slack, signal),
    setUnhealthy: (isUnhealthy) => endpoint.setUnhealthy(url, isUnhealthy),
  }));
}

async function headOf(endpoint: EvmEndpoint, url: RpcUrl, slack: bigint, signal: AbortSignal): Promise<ReportedHead> {
  const once = { only: url, rounds: 1 };
  const block = await readBlock(endpoint, "latest", signal, once);
  if (block === undefined) throw new SourceFault(`${url.host}: it has no latest block`, { remedy: "wait" });
  const height = block.number;
  const proof = height > slack ? height - slack : 0n;
  return { height, isServed: async (soon) => (await readBlock(endpoint, proof, soon, once)) !== undefined };
}
