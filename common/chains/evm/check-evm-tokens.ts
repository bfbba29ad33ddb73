import type { TokenCheck } from "../base/token-check.ts";
import { isEvmAddress } from "./evm-address.ts";
import type { EvmEndpoint } from "./evm-endpoint.ts";
import type { HeadTracker } from "./head-tracker.ts";
import { readToken } from "./read-token.ts";

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
      if (!isEvmAddress(address)) return { address, problem: "the address must be 0x and 40 hex digits" };
      const token = await readToken(endpoint, address.toLowerCase(), readable, signal);
      return { address, ...token, ...(token.decimals === undefined && { problem: noDecimals(address) }) };
    }),
  );
}

function noDecimals(address: string): string {
  return `no token at ${address} on this chain says its decimals(): check the address`;
}
