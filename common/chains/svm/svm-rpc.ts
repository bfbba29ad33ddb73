import type { Rpc, RpcTransport, SolanaRpcApi } from "@solana/rpc";
import type { FailoverTransport } from "./failover-transport.ts";

/** Loads the RPC methods of a chain's nodes at the first use. */
export type SvmRpc = () => Promise<Rpc<SolanaRpcApi>>;

/** Creates the RPC of a chain. All its sales share it, and with it the bounds of the transport. */
export function createSvmRpc(failover: FailoverTransport): SvmRpc {
  const neverAborted = new AbortController().signal;
  const transport = (({ payload, signal }) => failover.send(payload, signal ?? neverAborted)) as RpcTransport;
  let rpc: Promise<Rpc<SolanaRpcApi>> | undefined;
  return () => {
    rpc ??= import("@solana/rpc").then(({ createSolanaRpcFromTransport }) => createSolanaRpcFromTransport(transport));
    return rpc;
  };
}
