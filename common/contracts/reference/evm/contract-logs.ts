import type { SourcePosition } from "../../../chains/base/source-position.ts";
import { type Block, positionOf, quantity } from "../../../chains/evm/block.ts";
import type { Answer, EvmEndpoint } from "../../../chains/evm/evm-endpoint.ts";
import { isCanonical } from "../../../chains/evm/read-block.ts";
import { RpcFault } from "../../../chains/evm/rpc-fault.ts";
import { ROW_TOPICS, STAGE_TOPIC } from "./abi.ts";
import { PositionAbandoned, SweepRequired } from "./sweep-required.ts";

/** Longest range of blocks. Nodes refuse much longer ones, and after so many blocks a sweep is due anyway. */
const MAX_BLOCKS = 1000n;
const ROW_TOPIC_LIST = Object.values(ROW_TOPICS);
const ROW_TOPIC_SET: ReadonlySet<unknown> = new Set(ROW_TOPIC_LIST);

/** A block in which the contract has logged something. */
export interface LoggedBlock extends SourcePosition {
  /** Entities whose commitments changed. */
  readonly entities: ReadonlySet<string>;
  /** Whether more may have changed: the stage did, or there was a log of unknown meaning. */
  readonly isUnclear: boolean;
}

/** The logs of a contract after a position. */
export interface ContractLogs {
  /** Entity IDs whose commitments changed. */
  readonly entities: ReadonlySet<string>;
  /** The blocks with logs, oldest first. */
  readonly blocks: readonly LoggedBlock[];
  /** Whether the stage changed. */
  readonly changesStage: boolean;
  /** Whether there was a log of unknown meaning. */
  readonly hasUnknown: boolean;
}

export const NO_LOGS: ContractLogs = { entities: new Set(), blocks: [], changesStage: false, hasUnknown: false };

/**
 * Reads the logs after a position up to a block.
 *
 * @throws PositionAbandoned; SweepRequired if the position is too far back, or the logs can't be read; SourceFault.
 */
export async function logsAfter(
  endpoint: EvmEndpoint,
  contract: string,
  position: SourcePosition,
  block: Block,
  signal: AbortSignal,
): Promise<ContractLogs> {
  // Asked by hash, a node either has exactly this block or says that it doesn't. Asked by range, it may leave out the logs
  // of a block that it doesn't have yet.
  const ofBlock = () => queryLogs(endpoint, { address: contract, blockHash: `0x${block.hash}` }, signal);
  if (block.parentHash === position.hash) return parseLogs((await ofBlock()).result, contract);
  if (block.number <= position.height + 1n) throw new PositionAbandoned();
  if (block.number - position.height > MAX_BLOCKS) throw new SweepRequired("the last read is too many blocks ago");
  const [between, { result }] = await Promise.all([
    logsBetween(endpoint, contract, position, block, signal),
    ofBlock(),
  ]);
  return parseLogs([between, result].flat(), contract);
}

async function logsBetween(
  endpoint: EvmEndpoint,
  contract: string,
  position: SourcePosition,
  block: Block,
  signal: AbortSignal,
): Promise<unknown> {
  const range = { fromBlock: quantity(position.height + 1n), toBlock: quantity(block.number - 1n) };
  const { result, url } = await queryLogs(endpoint, { address: contract, ...range }, signal);
  // The same node must have both ends, asked after the logs: a node that lags silently leaves out the logs of blocks that
  // it doesn't have.
  const ends = [position, positionOf(block)].map((end) => isCanonical(endpoint, end, url, signal));
  if ((await Promise.all(ends)).includes(false)) throw new PositionAbandoned();
  return result;
}

/** Ranges to search for logs, one after the other. Some nodes refuse the second. */
const LOOK_BACK_BLOCKS = [1000n, 50_000n];

/** Whether the contract has recently logged a change of an entity's commitment; undefined if the node doesn't answer. */
export async function hasLoggedRecently(
  endpoint: EvmEndpoint,
  contract: string,
  entityId: string,
  block: Block,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  // One entity has few logs, however large the sale is.
  const topics = [ROW_TOPIC_LIST, `0x${entityId.padEnd(64, "0")}`];
  try {
    for (const blocks of LOOK_BACK_BLOCKS) {
      const first = block.number > blocks ? block.number - blocks : 0n;
      const range = { fromBlock: quantity(first), toBlock: quantity(block.number) };
      const { result } = await queryLogs(endpoint, { address: contract, topics, ...range }, signal);
      const logs = parseLogs(result, contract);
      if (logs.entities.has(entityId)) return true;
      if (first === 0n) return false;
    }
  } catch (error) {
    if (!(error instanceof SweepRequired)) throw error;
    return undefined;
  }
  return false;
}

async function queryLogs(
  endpoint: EvmEndpoint,
  filter: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    return await endpoint.answer("eth_getLogs", [filter], signal, { heavy: true });
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    throw new SweepRequired(`the contract's logs can't be read (${error.message})`, { cause: error });
  }
}

function parseLogs(answer: unknown, contract: string): ContractLogs {
  if (!Array.isArray(answer)) throw new SweepRequired("the node's answer isn't a list of logs");
  const blocks = new Map<string, SourcePosition & { readonly entities: Set<string>; isUnclear: boolean }>();
  let [changesStage, hasUnknown] = [false, false];
  for (const each of answer) {
    const { topics, position } = contractLog(each, contract);
    const block = blocks.get(position.hash) ?? { ...position, entities: new Set(), isUnclear: false };
    blocks.set(position.hash, block);
    const [topic, entity] = topics;
    if (ROW_TOPIC_SET.has(topic) && entity !== undefined) {
      block.entities.add(entity.slice(2, 34));
      continue;
    }
    block.isUnclear = true;
    if (topic === STAGE_TOPIC) changesStage = true;
    else hasUnknown = true;
  }
  const inOrder = [...blocks.values()].sort((a, b) => (a.height < b.height ? -1 : 1));
  const entities = new Set(inOrder.flatMap((block) => [...block.entities]));
  return { entities, blocks: inOrder, changesStage, hasUnknown };
}

function contractLog(value: unknown, contract: string) {
  const log = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const { address, topics } = log;
  const position = positionIn(log);
  if (
    typeof address !== "string" ||
    address.toLowerCase() !== contract ||
    !Array.isArray(topics) ||
    position === undefined
  ) {
    throw new SweepRequired("the node's answer contains something that isn't a log of the contract");
  }
  return { topics: topics.map(word), position };
}

function positionIn({ blockNumber, blockHash }: Record<string, unknown>): SourcePosition | undefined {
  const hash = word(blockHash)?.slice(2);
  const isNumber = typeof blockNumber === "string" && /^0x[0-9a-f]{1,16}$/i.test(blockNumber);
  return isNumber && hash !== undefined ? { height: BigInt(blockNumber), hash } : undefined;
}

function word(value: unknown): string | undefined {
  return typeof value === "string" && /^0x[0-9a-f]{64}$/i.test(value) ? value.toLowerCase() : undefined;
}
