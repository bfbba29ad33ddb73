import type { TokenCheck } from "../source/chain-connection.ts";
import { callOrAbsent } from "./contract/call-or-absent.ts";
import { PinnedBlock } from "./contract/pinned-block.ts";
import { DECIMALS, SYMBOL } from "./contract/token-calls.ts";
import type { EvmEndpoint } from "./nodes/evm-endpoint.ts";
import type { HeadTracker } from "./nodes/head-tracker.ts";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export interface EvmTokenOptions {
  readonly endpoint: EvmEndpoint;
  readonly heads: HeadTracker;
}

/** Reads decimals and symbols of tokens, all at one block. @throws SourceFault if the nodes don't answer */
export async function checkEvmTokens(
  { endpoint, heads }: EvmTokenOptions,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<readonly TokenCheck[]> {
  const { readable } = await heads.current(signal);
  return Promise.all(
    addresses.map(async (address) => {
      if (!ADDRESS.test(address)) return { address, problem: "the address must be 0x and 40 hex digits" };
      const pinned = new PinnedBlock(endpoint, address.toLowerCase(), readable);
      const [decimals, symbol] = await Promise.all([
        callOrAbsent(pinned, DECIMALS, signal),
        callOrAbsent(pinned, SYMBOL, signal),
      ]);
      await pinned.verify(signal);
      return { address, ...decimalsOrProblem(address, decimals), ...(symbol !== undefined && { symbol }) };
    }),
  );
}

function decimalsOrProblem(address: string, decimals: number | undefined): Pick<TokenCheck, "decimals" | "problem"> {
  if (decimals !== undefined) return { decimals };
  return { problem: `no token at ${address} on this chain says its decimals(): check the address` };
}
