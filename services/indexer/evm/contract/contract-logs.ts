import type { SourcePosition } from "../../source/source-reader.ts";
import { type Block, isCanonical, positionOf, quantity } from "../nodes/block.ts";
import type { Answer, EvmEndpoint } from "../nodes/evm-endpoint.ts";
import { RpcFault } from "../nodes/rpc-fault.ts";
import { ROW_TOPICS, STAGE_TOPIC } from "./abi.ts";
import { SweepRequired } from "./sweep-required.ts";

/** Nodes refuse much more; so long ago a sweep is due anyway. */
const MAX_BLOCKS = 1000n;
const ROW_TOPIC_LIST = Object.values(ROW_TOPICS);
const ROW_TOPIC_SET: ReadonlySet<unknown> = new Set(ROW_TOPIC_LIST);

/** What a contract has logged after a position. */
export interface ContractLogs {
  /** Entity IDs whose commitments changed. */
  readonly entities: ReadonlySet<string>;
  /** Something that only the contract knows the meaning of was logged. */
  readonly hasUnknown: boolean;
}

/**
 * The logs from after a position to a block.
 *
 * @throws SweepRequired where the position is no longer part of the chain, or too far back, or the logs can't be had; SourceFault.
 */
export async function logsAfter(
  endpoint: EvmEndpoint,
  contract: string,
  position: SourcePosition,
  block: Block,
  signal: AbortSignal,
): Promise<ContractLogs> {
  // By hash the node either has this very block or says so. A range that ends with it may come back without the logs of
  // a block that is only just there.
  const ofBlock = () => queryLogs(endpoint, { address: contract, blockHash: `0x${block.hash}` }, signal);
  if (block.parentHash === position.hash) return parseLogs((await ofBlock()).result, contract);
  if (block.number <= position.height + 1n) throw new SweepRequired("the chain was re-organised");
  if (block.number - position.height > MAX_BLOCKS) throw new SweepRequired("the last reading is too many blocks ago");
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
  // Both ends, asked after the logs and of the node that gave them: the blocks between them are those that the logs are
  // of. A node that lags leaves out, without a word, the blocks that it doesn't have.
  const ends = [position, positionOf(block)].map((end) => isCanonical(endpoint, end, url, signal));
  if ((await Promise.all(ends)).includes(false)) throw new SweepRequired("the chain was re-organised");
  return result;
}

/** Looked back so many blocks; some nodes refuse the second. */
const LOOK_BACK_BLOCKS = [1000n, 50_000n];

/** Whether the contract has lately logged a change of an entity's commitment; undefined where the node doesn't tell. */
export async function logsEntityLately(
  endpoint: EvmEndpoint,
  contract: string,
  entityId: string,
  block: Block,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  // One entity's logs are few, however large the sale is.
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
    throw new SweepRequired(`the logs of the contract can't be read (${error.message})`, { cause: error });
  }
}

function parseLogs(answer: unknown, contract: string): ContractLogs {
  if (!Array.isArray(answer)) throw new SweepRequired("the node's answer is no list of logs");
  const entities = new Set<string>();
  let hasUnknown = false;
  for (const log of answer) {
    const [topic, entity] = topicsOf(log, contract);
    if (ROW_TOPIC_SET.has(topic) && entity !== undefined) entities.add(entity.slice(2, 34));
    else if (topic !== STAGE_TOPIC) hasUnknown = true;
  }
  return { entities, hasUnknown };
}

function topicsOf(log: unknown, contract: string): readonly (string | undefined)[] {
  const { address, topics } = (typeof log === "object" && log !== null ? log : {}) as Record<string, unknown>;
  if (typeof address !== "string" || address.toLowerCase() !== contract || !Array.isArray(topics)) {
    throw new SweepRequired("the node's answer holds what is no log of the contract");
  }
  return topics.map((topic: unknown) =>
    typeof topic === "string" && /^0x[0-9a-f]{64}$/i.test(topic) ? topic.toLowerCase() : undefined,
  );
}
