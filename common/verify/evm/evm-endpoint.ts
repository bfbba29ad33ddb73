import type { EvmChain } from "../../chains/base/chain.ts";
import { EvmEndpoint } from "../../chains/evm/evm-endpoint.ts";

/** Requests at once to a node, which may be a public one that limits them. */
const MAX_CONCURRENCY = 4;
/** Time for one answer, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * Connects to nodes of an EVM chain, the first of which is asked as long as it answers. They aren't asked before the first use.
 *
 * @param fetch sends requests to them; the runtime's own by default
 */
export function evmEndpoint(chainId: bigint, urls: readonly string[], fetch?: typeof globalThis.fetch): EvmEndpoint {
  const chain: EvmChain = {
    family: "evm",
    name: `chain ${chainId}`,
    chainId: Number(chainId),
    urls,
    confirmations: 0,
    pollIntervalMs: 0,
    maxConcurrency: MAX_CONCURRENCY,
    chunkRows: 0,
    sweepIntervalMs: 0,
    maxCommitments: 0,
    maxHeadLag: 0,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  };
  return new EvmEndpoint(chain, { fetch });
}
