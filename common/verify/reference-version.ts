import type { ChainFamily } from "../chains/base/chain-family.ts";
import { SourceFault } from "../chains/base/source-fault.ts";
import { BlockTimes } from "../chains/evm/block-times.ts";
import { PinnedBlock } from "../chains/evm/pinned-block.ts";
import { readBlock } from "../chains/evm/read-block.ts";
import { REFERENCE_FAMILY } from "../contracts/reference/evm/reference-family.ts";
import { CannotVerify } from "./compare/cannot-verify.ts";
import { evmEndpoint } from "./evm/evm-endpoint.ts";

/** A contract, and the nodes that know it. */
export interface VersionQuestion {
  readonly family: ChainFamily;
  /** EIP-155; only on chains that have one. */
  readonly chainId?: bigint;
  readonly contract: string;
  /** The major version that the sale's definition names; absent if it doesn't. */
  readonly declared?: number;
  /** JSON-RPC URLs, the first of which is asked as long as it answers. */
  readonly nodes: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Returns the major version of a contract: its own statement at the last final block, else that of the sale's definition; undefined where
 * neither says it.
 *
 * @throws CannotVerify if no node answers
 */
export async function referenceVersion(question: VersionQuestion): Promise<number | undefined> {
  try {
    return await VERSIONS[question.family](question);
  } catch (error) {
    if (error instanceof SourceFault) throw new CannotVerify(error.message, { cause: error });
    throw error;
  }
}

// Programs of Solana state no version.
const VERSIONS: Readonly<Record<ChainFamily, typeof referenceVersion>> = {
  evm: evmVersion,
  svm: async () => undefined,
};

async function evmVersion({ chainId, contract, declared, nodes, signal }: VersionQuestion) {
  if (chainId === undefined) throw new CannotVerify("Tidemark doesn't say which chain the contract is on");
  const endpoint = evmEndpoint(chainId, nodes);
  const block = await readBlock(endpoint, "finalized", signal);
  if (block === undefined) throw new CannotVerify("the node calls no block final yet");
  const pinned = new PinnedBlock(endpoint, contract, block);
  const view = await REFERENCE_FAMILY.view({ use: "once", times: new BlockTimes(endpoint) });
  const release = await view.release(pinned, signal);
  await pinned.verify(signal);
  return release === undefined ? declared : release[0];
}
