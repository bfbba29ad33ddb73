import type { Rpc, RpcTransport, SolanaRpcApi } from "@solana/rpc";
import type { SvmChain } from "../chain.ts";
import { FailoverTransport, type TransportOptions } from "./failover-transport.ts";

/** The RPC methods of a chain's nodes, loaded when first used. */
export type SvmRpc = () => Promise<Rpc<SolanaRpcApi>>;

/** One per chain: its bounds hold for all sales that share it. */
export function createSvmRpc(chain: SvmChain, options: TransportOptions = {}): SvmRpc {
  const failover = new FailoverTransport(chain, options);
  const neverAborted = new AbortController().signal;
  const transport = (({ payload, signal }) => failover.send(payload, signal ?? neverAborted)) as RpcTransport;
  let rpc: Promise<Rpc<SolanaRpcApi>> | undefined;
  return () => {
    rpc ??= import("@solana/rpc").then(({ createSolanaRpcFromTransport }) => createSolanaRpcFromTransport(transport));
    return rpc;
  };
}
