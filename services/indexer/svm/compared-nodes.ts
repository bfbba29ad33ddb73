import type { SvmChain } from "../chains/chain.ts";
import type { ComparedNode, ReportedHead } from "../nodes/head-comparison.ts";
import type { JsonRpcUrl } from "../nodes/json-rpc-url.ts";
import { unusableAnswer } from "./account-answer.ts";
import type { FailoverTransport } from "./nodes/failover-transport.ts";

const HASH = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/**
 * The nodes behind a transport.
 *
 * @param slack slots below its head at which a node must have a block hash: the next answer may be of another one behind
 * the same balancer, which is not quite as far.
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
    // The transport refuses an answer from before that slot.
    isServed: async (soon) => hasBlockhash(await ask("getLatestBlockhash", { minContextSlot }, soon)),
  };
}

/** RpcResponse of `{ blockhash, … }` with its context. */
function hasBlockhash(result: unknown): boolean {
  if (typeof result !== "object" || result === null) return false;
  const { context, value } = result as { context?: { slot?: unknown } | null; value?: { blockhash?: unknown } | null };
  return typeof context?.slot === "number" && typeof value?.blockhash === "string" && HASH.test(value.blockhash);
}
