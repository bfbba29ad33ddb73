import type { TokenCheck } from "../base/token-check.ts";
import type { Block } from "./block.ts";
import { callOrAbsent } from "./call-or-absent.ts";
import type { EvmEndpoint } from "./evm-endpoint.ts";
import { PinnedBlock } from "./pinned-block.ts";
import { DECIMALS, SYMBOL } from "./token-calls.ts";

/** Reads decimals and symbol of a token at a block. @param address lower-case @throws SourceFault if the nodes don't answer */
export async function readToken(
  endpoint: EvmEndpoint,
  address: string,
  block: Block,
  signal: AbortSignal,
): Promise<Pick<TokenCheck, "decimals" | "symbol">> {
  const pinned = new PinnedBlock(endpoint, address, block);
  const [decimals, symbol] = await Promise.all([
    callOrAbsent(pinned, DECIMALS, signal),
    callOrAbsent(pinned, SYMBOL, signal),
  ]);
  await pinned.verify(signal);
  return { ...(decimals !== undefined && { decimals }), ...(symbol !== undefined && { symbol }) };
}
