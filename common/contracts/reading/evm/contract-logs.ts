import { SourceFault } from "../../../chains/base/source-fault.ts";
import type { SourcePosition } from "../../../chains/base/source-position.ts";
import { type Block, positionOf, quantity } from "../../../chains/evm/block.ts";
import type { AskOptions, EvmEndpoint } from "../../../chains/evm/evm-endpoint.ts";
import { isCanonical, readBlock } from "../../../chains/evm/read-block.ts";
import type { RecentHeaders } from "../../../chains/evm/recent-headers.ts";
import type { RpcUrl } from "../../../chains/evm/rpc-url.ts";
import type { LogFilter, SharedLogs } from "../../../chains/evm/shared-logs.ts";
import type { FamilyLogs } from "../../evm-family.ts";
import type { SecondQuestions } from "../../second-questions.ts";
import type { SourceCommitment } from "../../source-commitment.ts";
import {
  type LogAnswer,
  type LoggingContract,
  LogQuery,
  mayLackLogs,
  SECOND_QUESTION,
  type SharedQuestions,
} from "./contract-logs-query.ts";
import type { ContractLogs, NoAnswer } from "./logged-changes.ts";
import { LateLogs, PositionAbandoned, SweepRequired } from "./sweep-required.ts";

/** Longest range of blocks. Nodes refuse much longer ones. */
const MAX_BLOCKS = 1000n;
/** Most ranges of that length in which missing logs are looked for. */
const MAX_PAST_RANGES = 10;

/** The contract whose logs are read, and the chain's nodes. */
export interface LogSource extends LoggingContract {
  readonly endpoint: EvmEndpoint;
  readonly headers: RecentHeaders;
  /** Counts second questions, for all contracts of the chain. */
  readonly secondQuestions: SecondQuestions;
  /** Asks about all contracts of the chain at once. */
  readonly sharedLogs?: SharedLogs | undefined;
}

/** A contract and its nodes, for questions about its logs alone. */
type AskedLogs = Pick<LogSource, "endpoint" | "contract" | "family">;

/**
 * Reads the logs after a position up to a block. An answer without logs that the blocks' blooms have is doubted: a node may not have the
 * block yet. Another URL, or the receipts, then add what they have. A range that is too long for that is asked for twice.
 *
 * @throws PositionAbandoned; SweepRequired if the position is too far back, or the logs can't be read; SourceFault.
 */
export async function logsAfter(
  source: LogSource,
  position: SourcePosition,
  block: Block,
  signal: AbortSignal,
): Promise<ContractLogs> {
  const { endpoint, headers, contract, family, secondQuestions, sharedLogs } = source;
  const query = new LogQuery(endpoint, contract, signal, secondQuestions, sharedAt(sharedLogs, block.hash));
  // Asked by hash, a node should either have exactly this block or say that it doesn't. Asked by range, it may leave out the logs
  // of a block that it doesn't have yet.
  const ofBlock = async () => {
    const filter = { blockHash: `0x${block.hash}` };
    const first = await query.ask(filter);
    return mayLackLogs(block, source, first.logs) ? query.askAgain(first, filter, [block]) : [first];
  };
  if (block.parentHash === position.hash) return summaryOf(await ofBlock(), family.logs);
  if (block.number <= position.height + 1n) throw new PositionAbandoned();
  if (block.number - position.height > MAX_BLOCKS) throw new SweepRequired("the last read is too many blocks ago");
  // The same node must have both ends, asked after the logs: a node that lags silently leaves out the logs of blocks that it doesn't
  // have, and after a re-organisation it has the logs of others.
  const hasBothEnds = async ({ url }: LogAnswer, options: AskOptions = {}) => {
    const ends = [position, positionOf(block)].map((end) => isCanonical(endpoint, end, url, signal, options));
    return !(await Promise.all(ends)).includes(false);
  };
  const isOfBothEnds = async (answer: LogAnswer) => {
    try {
      return await hasBothEnds(answer, SECOND_QUESTION);
    } catch (error) {
      if (!(error instanceof SourceFault)) throw error;
      return false;
    }
  };
  // A URL that lags can't add to the answer of one that doesn't.
  const askTwice = async (filter: LogFilter, first: LogAnswer) => {
    const second = await query.askTwice(filter, new Set([first.url]), "range");
    if (await isOfBothEnds(second)) return second;
    const third = await query.askTwice(filter, new Set([second.url]), "range");
    if (await isOfBothEnds(third)) return third;
    throw new LateLogs("the chain may have been re-organised between two answers");
  };
  const between = async () => {
    const filter = rangeOf(position.height + 1n, block.number - 1n);
    const first = await query.ask(filter);
    const [isOfChain, read] = await Promise.all([hasBothEnds(first), headers.between(position.height, block, signal)]);
    if (!isOfChain) throw new PositionAbandoned();
    if (read === undefined) return [first, await askTwice(filter, first)];
    const doubtful = read.filter((header) => mayLackLogs(header, source, first.logs));
    if (doubtful.length === 0) return [first];
    const ofChain = new Set(read.map(({ hash }) => hash));
    return (await query.askAgain(first, filter, doubtful)).map((answer) => onlyOf(ofChain, answer));
  };
  return summaryOf((await Promise.all([between(), ofBlock()])).flat(), family.logs);
}

/** The logs of these blocks. An answer that came after a re-organisation has those of others, which would count as read. */
function onlyOf(hashes: ReadonlySet<string>, { logs, url }: LogAnswer): LogAnswer {
  return { logs: logs.filter(({ position }) => hashes.has(position.hash)), url };
}

/**
 * Reads the logs from a position to a later block, both far back.
 *
 * @param avoided URLs that are asked only if no other one answers.
 * @returns undefined if one of the blocks has left the chain.
 * @throws SweepRequired if the logs can't be read; SourceFault.
 */
export async function logsOfPast(
  { endpoint, contract, family }: AskedLogs,
  { from, to }: { readonly from: SourcePosition; readonly to: Block },
  signal: AbortSignal,
  avoided: ReadonlySet<RpcUrl>,
): Promise<ContractLogs | undefined> {
  for (const { height, hash } of [from, positionOf(to)]) {
    const present = await readBlock(endpoint, height, signal);
    if (present === undefined) throw new SweepRequired(`the nodes don't have block ${height}`);
    if (present.hash !== hash) return undefined;
  }
  const query = new LogQuery(endpoint, contract, signal);
  const answers = [await query.ask({ blockHash: `0x${to.hash}` }, avoided)];
  let first = from.height + 1n;
  for (let ranges = 0; first < to.number; ranges += 1, first += MAX_BLOCKS) {
    if (ranges === MAX_PAST_RANGES) throw new SweepRequired("the last sweep is too many blocks ago");
    const last = first + MAX_BLOCKS < to.number ? first + MAX_BLOCKS - 1n : to.number - 1n;
    const answer = await query.ask(rangeOf(first, last), avoided);
    // A node that lags silently leaves out the logs of blocks that it doesn't have.
    if (!(await isCanonical(endpoint, positionOf(to), answer.url, signal))) {
      throw new SweepRequired("the node that has the logs doesn't have the block");
    }
    answers.push(answer);
  }
  return summaryOf(answers, family.logs);
}

/**
 * Reads the logs of a few blocks once more, to add to what was read before: where there is another URL, not from those that answered
 * then.
 *
 * @param first height of the first block.
 * @param last height of the last block.
 * @param head hash of the block that is read now.
 */
export async function logsOnceMore(
  { endpoint, contract, family, secondQuestions, sharedLogs }: LogSource,
  [first, last]: readonly [bigint, bigint],
  head: string,
  signal: AbortSignal,
  avoided: ReadonlySet<RpcUrl>,
): Promise<ContractLogs | NoAnswer> {
  const query = new LogQuery(endpoint, contract, signal, secondQuestions, sharedAt(sharedLogs, head));
  const answer = await query.askOnce(rangeOf(first, last), avoided, "overlap");
  return typeof answer === "string" ? answer : summaryOf([answer], family.logs);
}

function sharedAt(logs: SharedLogs | undefined, head: string): SharedQuestions | undefined {
  return logs && { logs, head };
}

function rangeOf(first: bigint, last: bigint): LogFilter {
  return { fromBlock: quantity(first), toBlock: quantity(last) };
}

/** Ranges to search for logs, one after the other. Some nodes refuse the second. */
const LOOK_BACK_BLOCKS = [1000n, 50_000n];

/** Whether the contract has recently logged a change of a row, according to one URL; undefined if the node doesn't answer. */
export async function hasLoggedRecently(
  { endpoint, contract, family }: AskedLogs,
  row: SourceCommitment,
  block: Block,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const query = new LogQuery(endpoint, contract, signal);
  // One row has few logs, however large the sale is.
  const topics = family.logs.topicsOf(row);
  try {
    for (const blocks of LOOK_BACK_BLOCKS) {
      const first = block.number > blocks ? block.number - blocks : 0n;
      const answer = await query.ask({ topics, ...rangeOf(first, block.number) });
      if (summaryOf([answer], family.logs).commitments.has(family.logs.namedId(row))) return true;
      if (first === 0n) return false;
    }
  } catch (error) {
    if (!(error instanceof SweepRequired)) throw error;
    return undefined;
  }
  return false;
}

/** Joins answers about the same or neighbouring blocks. */
function summaryOf(answers: readonly LogAnswer[], familyLogs: FamilyLogs): ContractLogs {
  const blocks = new Map<string, SourcePosition & { readonly commitments: Set<string>; isUnclear: boolean }>();
  let [changesStage, hasUnknown] = [false, false];
  for (const { topics, position } of answers.flatMap(({ logs }) => logs)) {
    const block = blocks.get(position.hash) ?? { ...position, commitments: new Set(), isUnclear: false };
    blocks.set(position.hash, block);
    const meaning = familyLogs.meaningOf(topics);
    if (meaning.kind === "row") {
      block.commitments.add(meaning.commitmentId);
      continue;
    }
    block.isUnclear = true;
    if (meaning.kind === "stage") changesStage = true;
    else hasUnknown = true;
  }
  const inOrder = [...blocks.values()].sort((a, b) => (a.height < b.height ? -1 : 1));
  const commitments = new Set(inOrder.flatMap((block) => [...block.commitments]));
  return { commitments, blocks: inOrder, changesStage, hasUnknown, urls: new Set(answers.map(({ url }) => url)) };
}
