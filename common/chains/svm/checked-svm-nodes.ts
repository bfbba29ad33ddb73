import type { SvmChain } from "../base/chain.ts";
import type { CheckedHead, CheckedNode } from "../base/checked-node.ts";
import { SourceFault } from "../base/source-fault.ts";
import type { JsonRpcUrl } from "../nodes/json-rpc-url.ts";
import { CLOCK_ACCOUNT, clockSeconds } from "./clock-account.ts";
import { FailoverTransport } from "./failover-transport.ts";

/** An answer about accounts, as far as it is one. */
interface Answer {
  readonly context?: { readonly slot?: unknown };
  readonly value?: readonly unknown[];
}

/** Returns the nodes of a Solana chain. */
export function checkedSvmNodes(chain: SvmChain): readonly CheckedNode[] {
  const transport = new FailoverTransport(chain);
  return transport.urls.map((url, index) => ({
    host: url.host,
    url: chain.urls[index] ?? "",
    isRead: true,
    ask: (signal) => headOf(transport, url, chain, signal),
  }));
}

/** The transport asks for the cluster first, if the chain has its genesis hash. The clock's account has slot and time of one bank. */
async function headOf(
  transport: FailoverTransport,
  url: JsonRpcUrl,
  { commitment }: Pick<SvmChain, "commitment">,
  signal: AbortSignal,
): Promise<CheckedHead> {
  const params = [[CLOCK_ACCOUNT], { commitment, encoding: "base64" }];
  const request = { jsonrpc: "2.0", id: "clock", method: "getMultipleAccounts", params };
  const { context, value } = Object(Reflect.get(await transport.sendTo(url, request, signal), "result")) as Answer;
  const slot = context?.slot;
  if (typeof slot !== "number" || !Number.isSafeInteger(slot) || slot < 0) {
    throw new SourceFault(`${url.host}: its answer names no slot`, { remedy: "mend" });
  }
  return { height: BigInt(slot), timeSeconds: clockSeconds(value?.[0]) };
}
