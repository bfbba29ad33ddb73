import { SourceFault } from "../base/source-fault.ts";
import type { SourcePosition } from "../base/source-position.ts";
import { type Block, parseBlock, quantity } from "./block.ts";
import type { Answer, AskOptions, EvmEndpoint } from "./evm-endpoint.ts";
import type { RpcUrl } from "./rpc-url.ts";

/**
 * Reads a block as the node has it now; undefined if it has no block of that number.
 *
 * @throws SourceFault
 */
export async function readBlock(
  endpoint: EvmEndpoint,
  which: bigint | "latest" | "finalized",
  signal: AbortSignal,
  options: AskOptions = {},
): Promise<Block | undefined> {
  const name = typeof which === "bigint" ? quantity(which) : which;
  const { result, url } = await endpoint.answer("eth_getBlockByNumber", [name, false], signal, options);
  if (result === null) return undefined;
  const block = parseBlock(result);
  if (block === undefined || (typeof which === "bigint" && block.number !== which)) throw unreadable({ url });
  return block;
}

/** Whether the block at a position is part of the chain, according to one URL. Errors are those of `readBlock`. */
export async function isCanonical(
  endpoint: EvmEndpoint,
  { height, hash }: SourcePosition,
  url: RpcUrl,
  signal: AbortSignal,
  options: Omit<AskOptions, "only"> = {},
): Promise<boolean> {
  return (await readBlock(endpoint, height, signal, { ...options, only: url, small: true }))?.hash === hash;
}

function unreadable({ url }: Pick<Answer, "url">): SourceFault {
  return new SourceFault(`${url.host}: its answer to eth_getBlockByNumber isn't a block`, { remedy: "wait" });
}
