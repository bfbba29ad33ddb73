import type { Rpc, RpcTransport, SolanaRpcApi } from "@solana/rpc";
import type { FailoverTransport } from "./failover-transport.ts";

/** The RPC methods of a chain's nodes, loaded when first used. */
export type SvmRpc = () => Promise<Rpc<SolanaRpcApi>>;

/** One per chain: the bounds of its transport hold for all sales that share it. */
export function createSvmRpc(failover: FailoverTransport): SvmRpc {
  const neverAborted = new AbortController().signal;
  const transport = (({ payload, signal }) => failover.send(payload, signal ?? neverAborted)) as RpcTransport;
  let rpc: Promise<Rpc<SolanaRpcApi>> | undefined;
  return () => {
    rpc ??= import("@solana/rpc").then(({ createSolanaRpcFromTransport }) => createSolanaRpcFromTransport(transport));
    return rpc;
  };
}
