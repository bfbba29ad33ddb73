import type { Rpc, RpcTransport, SolanaRpcApi } from "@solana/rpc";
import type { FailoverTransport, SendOptions } from "./failover-transport.ts";

/** Loads the RPC methods of a chain's nodes at the first use. Options are those of all requests by the methods returned. */
export type SvmRpc = (options?: SendOptions) => Promise<Rpc<SolanaRpcApi>>;

/** Creates the RPC of a chain. All its sales share the transport, and with it its bounds. */
export function createSvmRpc(failover: Pick<FailoverTransport, "send">): SvmRpc {
  const neverAborted = new AbortController().signal;
  return async (options) => {
    const { createSolanaRpcFromTransport } = await import("@solana/rpc");
    const transport = (({ payload, signal }) =>
      failover.send(payload, signal ?? neverAborted, options)) as RpcTransport;
    return createSolanaRpcFromTransport(transport);
  };
}
