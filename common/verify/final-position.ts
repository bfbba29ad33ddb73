import type { ChainFamily } from "../chains/base/chain-family.ts";
import { SourceFault } from "../chains/base/source-fault.ts";
import type { SourcePosition } from "../chains/base/source-position.ts";
import { blockFinalityProblem } from "../chains/evm/block-finality.ts";
import { FailoverTransport } from "../chains/svm/failover-transport.ts";
import { slotFinalityProblem } from "../chains/svm/slot-finality.ts";
import { createSvmRpc } from "../chains/svm/svm-rpc.ts";
import { CannotVerify } from "./compare/cannot-verify.ts";
import { evmEndpoint } from "./evm/evm-endpoint.ts";
import { svmChain } from "./svm/svm-chain.ts";

/** A position of a chain, and the nodes that say whether it is final. */
export interface FinalityQuestion {
  readonly family: ChainFamily;
  /** EIP-155; only on chains that have one. */
  readonly chainId?: bigint;
  readonly position: SourcePosition;
  /** JSON-RPC URLs, the first of which is asked as long as it answers. */
  readonly nodes: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Returns why a position isn't final, for people; undefined where it is: it is part of the chain, and no later than what the chain's own
 * rule calls final.
 *
 * @throws CannotVerify if no node can say it
 */
export async function finalityProblem(question: FinalityQuestion): Promise<string | undefined> {
  try {
    return await PROBLEMS[question.family](question);
  } catch (error) {
    if (error instanceof SourceFault) throw new CannotVerify(error.message, { cause: error });
    throw error;
  }
}

const PROBLEMS: Readonly<Record<ChainFamily, typeof finalityProblem>> = { evm: blockProblem, svm: slotProblem };

async function blockProblem({ chainId, position, nodes, signal }: FinalityQuestion): Promise<string | undefined> {
  if (chainId === undefined) throw new CannotVerify("Tidemark doesn't say which chain the contract is on");
  return await blockFinalityProblem(evmEndpoint(chainId, nodes), position, signal);
}

async function slotProblem({ position, nodes, signal }: FinalityQuestion): Promise<string | undefined> {
  const rpc = createSvmRpc(new FailoverTransport(svmChain(nodes)));
  return await slotFinalityProblem(rpc, position.height, signal);
}
