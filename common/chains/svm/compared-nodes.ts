import type { SvmChain } from "../base/chain.ts";
import type { ComparedNode, ReportedHead } from "../nodes/head-comparison.ts";
import type { JsonRpcUrl } from "../nodes/json-rpc-url.ts";
import { unusableAnswer } from "./account-answer.ts";
import type { FailoverTransport } from "./failover-transport.ts";

const HASH = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/**
 * The nodes of a transport, for their comparison.
 *
 * @param slack a node must have a block hash this far below its head. Not at its head, because the second request may
 *   reach another node behind the same load balancer that is a little behind.
 */
export function comparedNodes(
  { commitment }: Pick<SvmChain, "commitment">,
  transport: FailoverTransport,
  slack: bigint,
): readonly ComparedNode[] {
  return transport.urls.map((url) => ({
    host: url.host,
    head: (signal) => headOf(transport, url, { commitment, slack }, signal),
    setUnhealthy: (isUnhealthy) => transport.setUnhealthy(url, isUnhealthy),
  }));
}

async function headOf(
  transport: FailoverTransport,
  url: JsonRpcUrl,
  { commitment, slack }: { readonly commitment: string; readonly slack: bigint },
  signal: AbortSignal,
): Promise<ReportedHead> {
  const ask = async (method: string, config: object, until: AbortSignal): Promise<unknown> => {
    const payload = { jsonrpc: "2.0", id: "head", method, params: [{ commitment, ...config }] };
    return Reflect.get(await transport.sendTo(url, payload, until), "result");
  };
  const slot = await ask("getSlot", {}, signal);
  if (typeof slot !== "number" || !Number.isSafeInteger(slot) || slot < 0) throw unusableAnswer("it names no slot");
  const height = BigInt(slot);
  const minContextSlot = height > slack ? height - slack : 0n;
  return {
    height,
    // The transport refuses answers from before that slot.
    isServed: async (soon) => hasBlockhash(await ask("getLatestBlockhash", { minContextSlot }, soon)),
  };
}

/** Whether a result is an RpcResponse of `{ blockhash, … }` with its context. */
function hasBlockhash(result: unknown): boolean {
  if (typeof result !== "object" || result === null) return false;
  const { context, value } = result as { context?: { slot?: unknown } | null; value?: { blockhash?: unknown } | null };
  return typeof context?.slot === "number" && typeof value?.blockhash === "string" && HASH.test(value.blockhash);
}
