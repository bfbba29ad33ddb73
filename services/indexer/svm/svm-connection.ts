import type { SvmChain } from "../chain.ts";
import type { ChainConnection } from "../source-reader.ts";
import { checkSvmSource } from "./check-svm-source.ts";
import type { TransportOptions } from "./failover-transport.ts";
import { createSvmReader } from "./svm-reader.ts";
import { createSvmRpc } from "./svm-rpc.ts";

/** The way to a Solana chain. It is polled: a new slot every 400 ms says nothing about a sale. */
export function connectSvm(chain: SvmChain, options: TransportOptions = {}): ChainConnection {
  const rpc = createSvmRpc(chain, options);
  return {
    pollIntervalMs: chain.pollIntervalMs,
    createReader: (target) => createSvmReader({ chain, target, rpc }),
    onHead: () => () => {},
    check: (address, signal) => checkSvmSource(chain, address, rpc, signal),
    async close() {},
  };
}
