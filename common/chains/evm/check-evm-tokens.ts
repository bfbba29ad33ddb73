import { SourceFault } from "../base/source-fault.ts";
import type { TokenCheck } from "../base/token-check.ts";
import type { Block } from "./block.ts";
import { isEvmAddress } from "./evm-address.ts";
import type { EvmEndpoint } from "./evm-endpoint.ts";
import type { HeadTracker } from "./head-tracker.ts";
import { readToken } from "./read-token.ts";

export interface EvmTokenOptions {
  readonly endpoint: EvmEndpoint;
  readonly heads: HeadTracker;
  /** Longest time for the calls of one token, in milliseconds. Default: 5,000, less than a founder's page waits. */
  readonly tokenLimitMs?: number;
}

/** A token about which the nodes gave no answer. */
interface Unanswered {
  readonly address: string;
  readonly fault: unknown;
}

/**
 * Reads decimals and symbols of tokens, all at one block. What one token does, its code being a stranger's, hides no other: a token
 * whose calls fail where those of another work has a problem of its own.
 *
 * @throws SourceFault if the nodes answer about none of them
 */
export async function checkEvmTokens(
  options: EvmTokenOptions,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<readonly TokenCheck[]> {
  const { readable } = await options.heads.current(signal);
  const results = await Promise.all(addresses.map((address) => checkToken(options, address, readable, signal)));
  const [firstFault] = results.flatMap((result) => ("fault" in result ? [result.fault] : []));
  if (
    firstFault !== undefined &&
    !results.some(({ address, ...result }) => isEvmAddress(address) && !("fault" in result))
  ) {
    throw firstFault;
  }
  return results.map((result) => ("fault" in result ? withoutAnswer(result) : result));
}

async function checkToken(
  { endpoint, tokenLimitMs = 5_000 }: EvmTokenOptions,
  address: string,
  block: Block,
  signal: AbortSignal,
): Promise<TokenCheck | Unanswered> {
  if (!isEvmAddress(address)) return { address, problem: "the address must be 0x and 40 hex digits" };
  const limit = AbortSignal.timeout(tokenLimitMs);
  try {
    const token = await readToken(endpoint, address.toLowerCase(), block, AbortSignal.any([signal, limit]));
    return { address, ...token, ...(token.decimals === undefined && { problem: noDecimals(address) }) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SourceFault) return { address, fault: error };
    if (!limit.aborted) throw error;
    return { address, fault: new SourceFault(`no answer within ${tokenLimitMs} ms`, { remedy: "wait" }) };
  }
}

function noDecimals(address: string): string {
  return `no token at ${address} on this chain says its decimals(): check the address`;
}

function withoutAnswer({ address, fault }: Unanswered): TokenCheck {
  const why = fault instanceof Error ? fault.message : "";
  return {
    address,
    problem: `the nodes gave no answer about the token at ${address} (${why}): try again, or check the address`,
  };
}
