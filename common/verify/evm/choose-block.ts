import { SourceFault } from "../../chains/base/source-fault.ts";
import type { SourcePosition } from "../../chains/base/source-position.ts";
import { type Block, readBlock } from "../../chains/evm/block.ts";
import type { EvmEndpoint } from "../../chains/evm/evm-endpoint.ts";
import { EmptyAnswer, PinnedBlock } from "../../chains/evm/pinned-block.ts";
import { RpcFault, type RpcFaultKind } from "../../chains/evm/rpc-fault.ts";
import type { SaleCalls } from "../../contracts/reference/evm/sale-calls.ts";
import { OtherBlock } from "../compare/other-block.ts";
import { firstChangeAfter, UnreadableLogs } from "./first-change.ts";

/** The contract whose state is to be read. */
export interface EvmContract {
  readonly endpoint: EvmEndpoint;
  /** Lower-case address. */
  readonly contract: string;
  readonly calls: SaleCalls;
}

/** The block at which a contract is read. */
export interface ChosenBlock {
  readonly block: Block;
  /** Why it isn't the block of the figures; absent if it is. */
  readonly remark?: string;
  /** Whether the contract may have changed since the block of the figures, so that a difference proves nothing. */
  readonly mayHaveChanged: boolean;
}

/** Failures by which a node may mean that it no longer has a block's state. They differ from node to node. */
const MAY_BE_PRUNED: ReadonlySet<RpcFaultKind> = new Set(["unavailable", "unsupported", "unauthorised"]);

/**
 * Chooses the block of the figures; if the node has dropped its state, the newest block since which no commitment has changed.
 *
 * @throws OtherBlock if the chain has another block at that height; SourceFault if the node can't be asked about any of them
 */
export async function chooseBlock(
  target: EvmContract,
  figures: SourcePosition,
  signal: AbortSignal,
): Promise<ChosenBlock> {
  const block = await blockAt(target.endpoint, figures, signal);
  try {
    await readCount(target, block, signal);
    return { block, mayHaveChanged: false };
  } catch (error) {
    if (!mayBePruned(error)) throw error;
    const newest = await newestBlock(target.endpoint, signal);
    // If it doesn't answer about its newest block either, the block of the figures isn't the reason.
    if (newest.number <= block.number || !(await hasState(target, newest, signal))) throw error;
    return later(target, block, newest, signal);
  }
}

async function blockAt(endpoint: EvmEndpoint, { height, hash }: SourcePosition, signal: AbortSignal): Promise<Block> {
  const block = await readBlock(endpoint, height, signal);
  if (block === undefined) {
    throw new SourceFault(`the node doesn't have block ${height} of the figures yet`, { remedy: "wait" });
  }
  if (block.hash !== hash) throw new OtherBlock({ height, hash }, block.hash);
  return block;
}

/** A later block with the same commitments as far as can be known. */
async function later(target: EvmContract, block: Block, newest: Block, signal: AbortSignal): Promise<ChosenBlock> {
  const dropped = `the node no longer has the state of block ${block.number}`;
  const { endpoint, contract } = target;
  try {
    const change = await firstChangeAfter(endpoint, contract, block.number, newest.number, signal);
    const last = change === undefined ? newest : await existingBlock(endpoint, change - 1n, signal);
    if (change !== undefined && !(await hasState(target, last, signal))) {
      throw new SourceFault(`${dropped}, and the contract has changed at block ${change}: use an archive node`, {
        remedy: "mend",
      });
    }
    const unchanged = `the contract has logged no change from then to block ${last.number}, which was read instead`;
    return { block: last, remark: `${dropped}; ${unchanged}`, mayHaveChanged: false };
  } catch (error) {
    if (!(error instanceof UnreadableLogs)) throw error;
    const unknown = "and doesn't say whether the contract has changed since; its newest block was read instead";
    return { block: newest, remark: `${dropped}, ${unknown}`, mayHaveChanged: true };
  }
}

function mayBePruned(error: unknown): boolean {
  return error instanceof EmptyAnswer || (error instanceof RpcFault && MAY_BE_PRUNED.has(error.kind));
}

async function hasState(target: EvmContract, block: Block, signal: AbortSignal): Promise<boolean> {
  try {
    await readCount(target, block, signal);
    return true;
  } catch (error) {
    if (!mayBePruned(error)) throw error;
    return false;
  }
}

async function readCount({ endpoint, contract, calls }: EvmContract, block: Block, signal: AbortSignal): Promise<void> {
  const pinned = new PinnedBlock(endpoint, contract, block);
  await pinned.call(calls.numCommitments, signal);
  await pinned.verify(signal);
}

async function newestBlock(endpoint: EvmEndpoint, signal: AbortSignal): Promise<Block> {
  const block = await readBlock(endpoint, "latest", signal);
  if (block === undefined) throw new SourceFault("the node has no latest block", { remedy: "wait" });
  return block;
}

async function existingBlock(endpoint: EvmEndpoint, number: bigint, signal: AbortSignal): Promise<Block> {
  const block = await readBlock(endpoint, number, signal);
  if (block === undefined) throw new SourceFault(`the node doesn't have block ${number}`, { remedy: "wait" });
  return block;
}
