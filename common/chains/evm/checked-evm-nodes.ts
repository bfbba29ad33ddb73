import { once } from "node:events";
import type { EvmChain } from "../base/chain.ts";
import type { CheckedHead, CheckedNode } from "../base/checked-node.ts";
import { SourceFault } from "../base/source-fault.ts";
import { EvmEndpoint } from "./evm-endpoint.ts";
import { readBlock } from "./read-block.ts";
import { RpcFault } from "./rpc-fault.ts";
import type { RpcUrl } from "./rpc-url.ts";
import { checkChain } from "./url-probe.ts";

/** Returns the nodes of an EVM chain, and that of its `webSocketUrl`. */
export function checkedEvmNodes(chain: EvmChain): readonly CheckedNode[] {
  const endpoint = new EvmEndpoint(chain);
  const read = endpoint.urls.map((url, index) => ({
    host: url.host,
    url: chain.urls[index] ?? "",
    isRead: true,
    ask: (signal: AbortSignal) => headOf(endpoint, url, chain, signal),
  }));
  const { webSocketUrl: url, chainId } = chain;
  if (url === undefined) return read;
  const ask = (signal: AbortSignal) => checkAnnouncer(url, chainId, signal);
  return [...read, { host: new URL(url).host, url, isRead: false, ask }];
}

/** The first request to a URL is preceded by its probe, which asks for the chain's ID and for calls at a block. */
async function headOf(
  endpoint: EvmEndpoint,
  url: RpcUrl,
  { confirmations }: Pick<EvmChain, "confirmations">,
  signal: AbortSignal,
): Promise<CheckedHead> {
  const only = { only: url, rounds: 1 };
  const block = await readBlock(endpoint, "latest", signal, only);
  if (block === undefined) throw new SourceFault(`${url.host}: it has no latest block`, { remedy: "wait" });
  if (confirmations === "finalized" && (await readBlock(endpoint, "finalized", signal, only)) === undefined) {
    const text = `${url.host}: it has no final block, and only such are read: set confirmations to a number, or another URL`;
    throw new SourceFault(text, { remedy: "mend" });
  }
  return { height: block.number, timeSeconds: block.timeSeconds };
}

/** Asks for the chain's ID by WebSocket. */
async function checkAnnouncer(url: string, chainId: number, signal: AbortSignal): Promise<undefined> {
  const { host } = new URL(url);
  const socket = new WebSocket(url);
  try {
    await opened(socket, host, signal);
    const ask = async (method: string, params: readonly unknown[]) => {
      const answered = once(socket, "message", { signal });
      socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
      return resultOf((await answered)[0], host);
    };
    await checkChain(ask, chainId, host);
  } finally {
    socket.close();
  }
}

/** The error event of a WebSocket has no reason that may be shown. */
async function opened(socket: WebSocket, host: string, signal: AbortSignal): Promise<void> {
  const failed = new AbortController();
  socket.addEventListener("error", () => failed.abort(), { once: true });
  try {
    await once(socket, "open", { signal: AbortSignal.any([signal, failed.signal]) });
  } catch {
    signal.throwIfAborted();
    throw new RpcFault("unavailable", `${host}: no WebSocket connection can be opened`);
  }
}

function resultOf(event: unknown, host: string): unknown {
  const { data } = event as MessageEvent<unknown>;
  try {
    if (typeof data === "string") return (JSON.parse(data) as { readonly result?: unknown } | null)?.result;
  } catch {
    // It is no JSON: refused as anything else that is no answer.
  }
  throw new RpcFault("unavailable", `${host}: its answer isn't JSON-RPC`);
}
