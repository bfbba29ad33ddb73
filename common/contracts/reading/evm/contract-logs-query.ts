import type { SourcePosition } from "../../../chains/base/source-position.ts";
import type { Block } from "../../../chains/evm/block.ts";
import type { AskOptions, EvmEndpoint } from "../../../chains/evm/evm-endpoint.ts";
import { bloomMayHave, tellsMuch } from "../../../chains/evm/logs-bloom.ts";
import { RpcFault } from "../../../chains/evm/rpc-fault.ts";
import type { RpcUrl } from "../../../chains/evm/rpc-url.ts";
import type { LogFilter, SharedLogs } from "../../../chains/evm/shared-logs.ts";
import type { EvmFamily } from "../../evm-family.ts";
import { noSecondQuestions, type SecondQuestions } from "../../second-questions.ts";
import type { NoAnswer } from "./logged-changes.ts";
import { LateLogs, SweepRequired } from "./sweep-required.ts";

/** How second questions are asked, of which a read may make several. It doesn't wait for them as long as for its first. */
export const SECOND_QUESTION = { limitMs: 4_000, rounds: 1 } as const;

/** Length of a range of blocks whose logs are few. */
const SMALL_RANGE_BLOCKS = 10n;

export interface ContractLog {
  /** A topic that isn't 32 bytes is undefined. */
  readonly topics: readonly (string | undefined)[];
  readonly position: SourcePosition;
}

export interface LogAnswer {
  readonly logs: readonly ContractLog[];
  readonly url: RpcUrl;
}

/** Questions that all contracts of a chain share, and the hash of the block that a read is of. */
export interface SharedQuestions {
  readonly logs: SharedLogs;
  readonly head: string;
}

/** The logs of one contract, as nodes answer them. */
export class LogQuery {
  readonly #endpoint: EvmEndpoint;
  readonly #contract: string;
  readonly #signal: AbortSignal;
  readonly #questions: SecondQuestions;
  readonly #shared: SharedQuestions | undefined;

  /**
   * @param contract lower-case address. @param questions counts second questions. @param shared asks about all contracts of the chain
   *   at once; without it, each question is about this contract alone.
   */
  constructor(
    endpoint: EvmEndpoint,
    contract: string,
    signal: AbortSignal,
    questions: SecondQuestions = noSecondQuestions(),
    shared?: SharedQuestions,
  ) {
    this.#endpoint = endpoint;
    this.#contract = contract;
    this.#signal = signal;
    this.#questions = questions;
    this.#shared = shared;
  }

  /**
   * @param avoided URLs that are asked only if no other one answers.
   * @throws SweepRequired if the logs can't be read; the signal's reason once that is aborted.
   */
  async ask(filter: LogFilter, avoided: ReadonlySet<RpcUrl> = new Set()): Promise<LogAnswer> {
    // Where a node lags, a range silently lacks logs. Whoever reads it has to ask afterwards whether the node has both of its ends, which
    // says nothing of an answer that is older than the question.
    const shared = filter["blockHash"] === undefined ? undefined : this.#shared;
    try {
      return await this.#ask(filter, { last: this.#avoidable(avoided) }, shared);
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error;
      throw new SweepRequired(`the contract's logs can't be read (${error.message})`, { cause: error });
    }
  }

  /** Asks a second time, in a single round, each URL for seconds. */
  async askOnce(
    filter: LogFilter,
    avoided: ReadonlySet<RpcUrl>,
    reason: keyof SecondQuestions,
  ): Promise<LogAnswer | NoAnswer> {
    this.#questions[reason] += 1;
    // A doubt is about one contract. Its question goes to the node anew, and what others have been answered settles nothing. Blocks that
    // are read once more only add to what was read, and are asked for again at the next block.
    const shared = reason === "overlap" ? this.#shared : undefined;
    return this.#second(() => this.#ask(filter, { last: this.#avoidable(avoided), ...SECOND_QUESTION }, shared));
  }

  async #ask(filter: LogFilter, options: AskOptions, shared: SharedQuestions | undefined): Promise<LogAnswer> {
    const [contract, small] = [this.#contract, isSmall(filter)];
    const all = { heavy: true, small, ...options };
    const { result, url } =
      // The logs of a long range may be many: then one contract's would hold up the others.
      shared !== undefined && small
        ? await shared.logs.answer(contract, filter, shared.head, this.#signal, all)
        : await this.#endpoint.answer("eth_getLogs", [{ address: contract, ...filter }], this.#signal, all);
    return { logs: parseLogs(result, contract), url };
  }

  /** The answer to a second question, which the read can do without. */
  async #second(ask: () => Promise<LogAnswer>): Promise<LogAnswer | NoAnswer> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof RpcFault || error instanceof SweepRequired)) throw error;
      return error instanceof RpcFault && error.kind === "timeout" ? "late" : "refused";
    }
  }

  /** Asks a second time about what is in doubt. @throws LateLogs if there is no answer within seconds */
  async askTwice(filter: LogFilter, avoided: ReadonlySet<RpcUrl>, reason: keyof SecondQuestions): Promise<LogAnswer> {
    const answer = await this.askOnce(filter, avoided, reason);
    if (typeof answer === "string")
      throw new LateLogs("no node answers a second question about logs that one may have left out");
    return answer;
  }

  /**
   * Asks once more about blocks whose first answer lacks logs that their blooms have: another URL if there is one, else for the receipts
   * of the blocks, which nodes keep elsewhere. Receipts are large. Where the node knows logs of a block, or where a chain is so busy that
   * its blooms seem to have everything, it is asked for the logs a second time instead.
   *
   * @returns the logs of both answers.
   * @throws LateLogs if there is no second answer: then the first one stays in doubt.
   */
  async askAgain(first: LogAnswer, filter: LogFilter, blocks: readonly Block[]): Promise<readonly LogAnswer[]> {
    const avoided = new Set([first.url]);
    const known = new Set(first.logs.map(({ position }) => position.hash));
    const areWorthReceipts = blocks.every(({ hash, logsBloom = "" }) => !known.has(hash) && tellsMuch(logsBloom));
    if (!areWorthReceipts || this.#avoidable(avoided).size > 0) {
      return [first, await this.askTwice(filter, avoided, "bloom")];
    }
    return [first, ...(await Promise.all(blocks.map((block) => this.#ofReceipts(block))))];
  }

  async #ofReceipts({ hash }: Block): Promise<LogAnswer> {
    this.#questions.bloom += 1;
    const blockHash = `0x${hash}`;
    const answer = await this.#second(async () => {
      const options = { heavy: true, ...SECOND_QUESTION };
      const { result, url } = await this.#endpoint.answer("eth_getBlockReceipts", [blockHash], this.#signal, options);
      return { logs: parseReceipts(result, this.#contract, hash), url };
    });
    return typeof answer === "string" ? this.askTwice({ blockHash }, new Set(), "bloom") : answer;
  }

  /** The URLs to avoid; none if no other one works. */
  #avoidable(avoided: ReadonlySet<RpcUrl>): ReadonlySet<RpcUrl> {
    const others = this.#endpoint.urls.filter(
      (url) => !avoided.has(url) && !this.#endpoint.isBackingOff(url, "eth_getLogs"),
    );
    return others.length === 0 ? new Set() : avoided;
  }
}

/** Whether a filter is of a block or a few, whose logs a node finds at once. */
function isSmall({ blockHash, fromBlock, toBlock }: LogFilter): boolean {
  if (blockHash !== undefined) return true;
  return BigInt(String(toBlock)) - BigInt(String(fromBlock)) < SMALL_RANGE_BLOCKS;
}

/** A contract's lower-case address, and what its logs mean. */
export interface LoggingContract {
  readonly contract: string;
  readonly family: Pick<EvmFamily, "logs">;
}

/** Whether a block's bloom has the contract, or a log of it with one of its known topics, that the answer doesn't have. */
export function mayLackLogs(
  { hash, logsBloom }: Block,
  { contract, family }: LoggingContract,
  logs: readonly ContractLog[],
): boolean {
  if (logsBloom === undefined || !bloomMayHave(logsBloom, contract)) return false;
  const answered = new Set(logs.flatMap(({ topics, position }) => (position.hash === hash ? [topics[0]] : [])));
  return (
    answered.size === 0 || family.logs.topics.some((topic) => !answered.has(topic) && bloomMayHave(logsBloom, topic))
  );
}

/** @throws SweepRequired for anything else than a list of logs of the contract. */
function parseLogs(answer: unknown, contract: string): readonly ContractLog[] {
  if (!Array.isArray(answer)) throw new SweepRequired("the node's answer isn't a list of logs");
  return answer.map((each) => contractLog(each, contract));
}

/** @throws SweepRequired if there are no receipts: a block whose bloom has logs has some. */
function parseReceipts(answer: unknown, contract: string, hash: string): readonly ContractLog[] {
  if (!Array.isArray(answer) || answer.length === 0) throw new SweepRequired("the node has no receipts of the block");
  const logs = answer.flatMap((receipt) => receipt?.logs ?? []);
  const own = logs.filter((log) => String(log?.address).toLowerCase() === contract);
  return parseLogs(own, contract).filter(({ position }) => position.hash === hash);
}

function contractLog(value: unknown, contract: string): ContractLog {
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
