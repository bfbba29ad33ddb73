import { SourceFault } from "../../chains/base/source-fault.ts";
import type { SourcePosition } from "../../chains/base/source-position.ts";
import { type Block, quantity } from "../../chains/evm/block.ts";
import type { EvmEndpoint } from "../../chains/evm/evm-endpoint.ts";
import { EmptyAnswer, PinnedBlock } from "../../chains/evm/pinned-block.ts";
import { readBlock } from "../../chains/evm/read-block.ts";
import { RpcFault, type RpcFaultKind } from "../../chains/evm/rpc-fault.ts";
import type { ContractView, EvmFamily } from "../../contracts/evm-family.ts";
import { OtherBlock } from "../compare/other-block.ts";

/** The contract whose state is to be read. */
export interface EvmContract {
  readonly endpoint: EvmEndpoint;
  /** Lower-case address. */
  readonly contract: string;
  readonly family: EvmFamily;
  readonly view: ContractView;
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
  const { endpoint } = target;
  try {
    const change = await firstChangeAfter(target, block.number, newest.number, signal);
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

async function readCount({ endpoint, contract, view }: EvmContract, block: Block, signal: AbortSignal): Promise<void> {
  const pinned = new PinnedBlock(endpoint, contract, block);
  await view.count(pinned, signal);
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

/** Blocks in the first query. Nodes that refuse so many are asked for fewer. */
const FIRST_BLOCKS = 10_000n;
/** Most queries, so that the search ends: with 10,000 blocks in each, 5 million blocks. */
const MAX_QUERIES = 500;
const QUANTITY = /^0x[0-9a-f]{1,16}$/i;

/** Thrown if the node doesn't give a contract's logs, or too many queries would be needed. */
class UnreadableLogs extends Error {
  override readonly name = "UnreadableLogs";
}

/**
 * The first block after `from`, up to `to`, in which a contract has logged a change of a commitment or of its stage; undefined
 * if there is none.
 *
 * @throws UnreadableLogs; the signal's reason
 */
async function firstChangeAfter(
  target: EvmContract,
  from: bigint,
  to: bigint,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  let blocks = FIRST_BLOCKS;
  let queries = 0;
  for (let first = from + 1n; first <= to; ) {
    const last = first + blocks - 1n < to ? first + blocks - 1n : to;
    queries += 1;
    if (queries > MAX_QUERIES) throw new UnreadableLogs("the blocks are too many for the node's limit");
    const numbers = await changedBlocks(target, first, last, signal);
    if (numbers === undefined) {
      if (blocks === 1n) throw new UnreadableLogs("the node gives no logs");
      blocks = blocks > 10n ? blocks / 10n : 1n;
      continue;
    }
    const [change] = numbers.toSorted((one, other) => (one < other ? -1 : 1));
    if (change !== undefined) return change;
    first = last + 1n;
  }
  return undefined;
}

/** The blocks of a range with such logs; undefined if the node refuses the query. */
async function changedBlocks(
  { endpoint, contract: address, family }: EvmContract,
  first: bigint,
  last: bigint,
  signal: AbortSignal,
): Promise<readonly bigint[] | undefined> {
  const filter = { address, topics: [family.logs.topics], fromBlock: quantity(first), toBlock: quantity(last) };
  try {
    const { result } = await endpoint.answer("eth_getLogs", [filter], signal, { heavy: true, rounds: 1 });
    return blockNumbers(result);
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    return undefined;
  }
}

function blockNumbers(logs: unknown): readonly bigint[] {
  if (!Array.isArray(logs)) throw new UnreadableLogs("the node's answer isn't a list of logs");
  return logs.map((log: unknown) => {
    const number = typeof log === "object" && log !== null && "blockNumber" in log ? log.blockNumber : undefined;
    if (typeof number !== "string" || !QUANTITY.test(number)) throw new UnreadableLogs("a log has no block");
    return BigInt(number);
  });
}
