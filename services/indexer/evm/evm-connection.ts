import type { EvmChain } from "../chain.ts";
import type { ChainConnection } from "../source-reader.ts";
import { checkEvmSource } from "./check-source.ts";
import { EvmEndpoint } from "./endpoint.ts";
import { createEvmReader } from "./evm-reader.ts";
import { HeadTracker } from "./head.ts";

/** Connects to an EVM chain. Nothing is asked of its nodes before the first use. */
export function connectEvmChain(chain: EvmChain): ChainConnection {
  const now = () => performance.now();
  const endpoint = new EvmEndpoint(chain, { now });
  const heads = new HeadTracker(chain, endpoint, now);
  const { pollIntervalMs, chunkRows, sweepIntervalMs } = chain;
  return {
    pollIntervalMs,
    createReader: ({ address, saleUuid }) =>
      createEvmReader({ endpoint, heads, contract: address.toLowerCase(), saleUuid, chunkRows, sweepIntervalMs, now }),
    onHead: (listener) => heads.onHead(listener),
    check: (address, signal) => checkEvmSource(endpoint, heads, address, signal),
    close: () => heads.stop(),
  };
}
