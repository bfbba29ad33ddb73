import { SourceFault } from "../base/source-fault.ts";
import type { TokenCheck } from "../base/token-check.ts";
import type { Block } from "./block.ts";
import { isEvmAddress, ZERO_ADDRESS } from "./evm-address.ts";
import type { EvmEndpoint } from "./evm-endpoint.ts";
import type { HeadTracker } from "./head-tracker.ts";
import { checkToken } from "./read-token.ts";
import { RpcFault } from "./rpc-fault.ts";
import { ECHO, nameOfBlock, type UrlAbilities } from "./url-probe.ts";

/** Longest time for the call that shows whether slow tokens or the nodes are at fault. */
const CONTROL_LIMIT_MS = 2_000;

export interface EvmTokenOptions {
  readonly endpoint: EvmEndpoint;
  readonly heads: HeadTracker;
  /** Longest time for the calls of one token, in milliseconds. Default: 5,000, less than a founder's page waits. */
  readonly tokenLimitMs?: number;
}

/** A token about which the nodes gave no answer. */
interface Unanswered {
  readonly address: string;
  readonly fault: SourceFault;
  /** Whether its calls only took too long. */
  readonly isSlow: boolean;
}

/**
 * Reads decimals and symbols of tokens, all at one block. What one token does, its code being a stranger's, hides no other: a token
 * whose calls fail where those of another work has a problem of its own, and so have slow ones where a call of no contract works.
 *
 * @throws SourceFault if the nodes answer about none of them
 */
export async function checkEvmTokens(
  options: EvmTokenOptions,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<readonly TokenCheck[]> {
  const { readable } = await options.heads.current(signal);
  const results = await Promise.all(addresses.map((address) => checkOne(options, address, readable, signal)));
  const unanswered = results.filter((result) => "fault" in result);
  const [first] = unanswered;
  const isAnswered = results.some((result) => isAskedFor(result.address) && !("fault" in result));
  if (first !== undefined && !isAnswered) {
    const areSlow = unanswered.every(({ isSlow }) => isSlow);
    if (!areSlow || !(await executesCalls(options, readable, signal))) throw first.fault;
  }
  return results.map((result) => ("fault" in result ? withoutAnswer(result) : result));
}

/** Whether nodes are asked about a token. The coin's facts are known without them. */
function isAskedFor(address: string): boolean {
  return isEvmAddress(address) && address !== ZERO_ADDRESS;
}

async function checkOne(
  { endpoint, tokenLimitMs = 5_000 }: EvmTokenOptions,
  address: string,
  block: Block,
  signal: AbortSignal,
): Promise<TokenCheck | Unanswered> {
  if (!isEvmAddress(address)) return { address, problem: "the address must be 0x and 40 hex digits" };
  const limit = AbortSignal.timeout(tokenLimitMs);
  try {
    return await checkToken(endpoint, address, block, AbortSignal.any([signal, limit]));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SourceFault) {
      return { address, fault: error, isSlow: error instanceof RpcFault && error.kind === "timeout" };
    }
    if (!limit.aborted) throw error;
    const fault = new SourceFault(`no answer within ${tokenLimitMs} ms`, { remedy: "wait", isOfNodes: true });
    return { address, fault, isSlow: true };
  }
}

/** Whether a node executes a call at a block that needs no contract. */
async function executesCalls({ endpoint }: EvmTokenOptions, block: Block, signal: AbortSignal): Promise<boolean> {
  const params = (abilities: UrlAbilities) => [ECHO, nameOfBlock(block, abilities)];
  const limit = AbortSignal.timeout(CONTROL_LIMIT_MS);
  try {
    await endpoint.answer("eth_call", params, AbortSignal.any([signal, limit]), { rounds: 1 });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.aborted && !(error instanceof SourceFault)) throw error;
    return false;
  }
}

function withoutAnswer({ address, fault }: Unanswered): TokenCheck {
  return {
    address,
    problem: `the nodes gave no answer about the token at ${address} (${fault.message}): try again, or check the address`,
  };
}
