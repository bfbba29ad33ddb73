import type { ComparedNode, ReportedHead } from "../../nodes/head-comparison.ts";
import { SourceFault } from "../../source/source-reader.ts";
import { readBlock } from "./block.ts";
import type { EvmEndpoint } from "./evm-endpoint.ts";
import type { RpcUrl } from "./rpc-url.ts";

/**
 * The nodes behind an endpoint.
 *
 * @param slack blocks below its head at which a node must have a block: the next answer may be of another one behind the
 * same balancer, which is not quite as far.
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
  if (block === undefined) throw new SourceFault(`${url.host}: it tells no head`, { remedy: "wait" });
  const height = block.number;
  const proof = height > slack ? height - slack : 0n;
  return { height, isServed: async (soon) => (await readBlock(endpoint, proof, soon, once)) !== undefined };
}
