import type { TokenCheck } from "../source/chain-connection.ts";
import { SourceFault } from "../source/source-fault.ts";
import { EmptyAnswer, PinnedBlock } from "./contract/pinned-block.ts";
import type { SaleCall } from "./contract/sale-calls.ts";
import { DECIMALS, SYMBOL } from "./contract/token-calls.ts";
import type { EvmEndpoint } from "./nodes/evm-endpoint.ts";
import type { HeadTracker } from "./nodes/head-tracker.ts";
import { RpcFault, type RpcFaultKind } from "./nodes/rpc-fault.ts";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** Failures that are the contract's own, whichever node is asked. */
const OF_CONTRACT: ReadonlySet<RpcFaultKind> = new Set(["reverted", "too_large"]);

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

/** Returns undefined if the contract has no such function, or its answer isn't of the function's type. */
async function callOrAbsent<Result>(
  pinned: PinnedBlock,
  call: SaleCall<Result>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  try {
    return await pinned.call(call, signal);
  } catch (error) {
    if (!(error instanceof SourceFault) || isOfNode(error)) throw error;
    return undefined;
  }
}

function isOfNode(error: SourceFault): boolean {
  if (error instanceof RpcFault) return !OF_CONTRACT.has(error.kind);
  return !(error instanceof EmptyAnswer) && !(error.cause instanceof RangeError);
}
