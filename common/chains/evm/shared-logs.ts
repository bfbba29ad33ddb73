import { untilAborted } from "../../platform/concurrency/until-aborted.ts";
import type { Answer, AskOptions, EvmEndpoint } from "./evm-endpoint.ts";
import { RpcFault, type RpcFaultKind } from "./rpc-fault.ts";

/** Most contracts in a request at first: half of what Geth takes. */
const LARGEST_GROUP = 500;
const SHRINK = 4;
/** Time after which a node that refused many contracts is asked for as many again, and a contract with too many logs with others. */
const REFUSED_MS = 10 * 60_000;
/** Time for which an answer is given to contracts that haven't had it yet. */
const ANSWER_MS = 10_000;
/** Filters whose answers are remembered: those of the newest block, and of the blocks before it that are read once more. */
const MAX_FILTERS = 8;
/** Shortest time for which a contract is asked about together with others after it was asked for itself. */
const LEAST_ACTIVE_MS = 60_000;
/** Polls for which it is. */
const ACTIVE_POLLS = 3;

/** Failures of the node or of its access, which a request about fewer contracts would mostly have, too. Some nodes have such words for sizes. */
const KINDS_OF_NODE: ReadonlySet<RpcFaultKind> = new Set(["rate_limited", "unauthorised", "wrong_url"]);
/** Failures by which a contract's own logs may be too many. */
const KINDS_OF_SIZE: ReadonlySet<RpcFaultKind> = new Set(["too_large", "timeout"]);

/** Name under which refusals of many contracts are counted, apart from those of a single one. */
const COUNTED_AS = "eth_getLogs of many contracts";

export type LogFilter = Readonly<Record<string, unknown>>;

export interface SharedLogsOptions {
  readonly endpoint: EvmEndpoint;
  readonly pollIntervalMs: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

interface GroupAnswer {
  readonly answer: Answer;
  /** The logs by lower-case address, as the node has sent them. */
  readonly logs: ReadonlyMap<string, readonly unknown[]>;
}

/** A request about the logs of several contracts. */
interface Group {
  readonly contracts: ReadonlySet<string>;
  /** Contracts that haven't had their part. */
  readonly waiting: Set<string>;
  readonly answer: Promise<GroupAnswer>;
  readonly askedAt: number;
  /** Whether the request wasn't sent, as the node had refused one of the kind shortly before. */
  readonly isBlocked: boolean;
  /** Whether one of the contracts asks alone after a failure of the node. */
  isProbed: boolean;
}

/**
 * Asks for the logs of all followed contracts of a chain by one `eth_getLogs`: the first reader who wants those of a block asks for all.
 * Each contract has the answer once. Whoever asks again has a reason to doubt the first answer, and asks alone. What a node refuses, or
 * answers in a way that can't be told apart by contract, each contract asks for alone, so that none can hurt another; a node that refuses
 * many contracts is asked for fewer. After a rate limit only one contract asks alone: if it is answered, all are asked for fewer at a time.
 */
export class SharedLogs {
  readonly #options: SharedLogsOptions;
  readonly #activeMs: number;
  readonly #stopping = new AbortController();
  /** The time at which each contract was asked for last, oldest first. */
  readonly #active = new Map<string, number>();
  /** By filter, oldest first. */
  readonly #groups = new Map<string, Group[]>();
  /** Contracts with too many logs, with the time until which they are asked for apart. */
  readonly #apart = new Map<string, number>();
  #refused: { readonly size: number; readonly until: number } | undefined;

  constructor(options: SharedLogsOptions) {
    this.#options = options;
    this.#activeMs = Math.max(LEAST_ACTIVE_MS, ACTIVE_POLLS * options.pollIntervalMs);
  }

  /** Ends the requests that are under way. */
  stop(): void {
    this.#stopping.abort();
  }

  /**
   * Returns the logs of a contract as a node has sent them, which may be anything.
   *
   * @param contract lower-case address
   * @param head hash of the block that is read: what is read once more at the next one is asked for anew
   * @throws RpcFault; the signal's reason once that is aborted
   */
  async answer(
    contract: string,
    filter: LogFilter,
    head: string,
    signal: AbortSignal,
    options: AskOptions,
  ): Promise<Answer> {
    const alone = () => {
      const params = [{ address: contract, ...filter }];
      return this.#options.endpoint.answer("eth_getLogs", params, signal, { ...options, small: true });
    };
    const now = this.#options.now();
    this.#note(contract, now);
    if (this.#isApart(contract, now)) return alone();
    const group = this.#groupFor(contract, filter, this.#keyOf(filter, head, options), options, now);
    if (group === undefined) return alone();
    try {
      const { answer, logs } = await untilAborted(group.answer, signal);
      return { ...answer, result: logs.get(contract) ?? [] };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RpcFault && KINDS_OF_NODE.has(error.kind) && !this.#probes(group)) throw error;
      if (!(error instanceof RpcFault || error instanceof MixedAnswer)) throw error;
      return this.#aloneAfter(group, contract, alone);
    }
  }

  /** Whether a contract is to find out if a failure of the node is one of the size: one does for all, who ask for less the next time. */
  #probes(group: Group): boolean {
    if (group.isProbed || group.isBlocked || this.#options.endpoint.isBlocked("eth_getLogs")) return false;
    group.isProbed = true;
    return true;
  }

  /** Finds out by a contract that is asked for alone whether a request failed for its size. */
  async #aloneAfter(group: Group, contract: string, alone: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await alone();
      const size = Math.max(1, Math.floor(group.contracts.size / SHRINK));
      if (size < this.#size()) this.#refused = { size, until: this.#options.now() + REFUSED_MS };
      return answer;
    } catch (error) {
      const isOfSize = error instanceof RpcFault && KINDS_OF_SIZE.has(error.kind);
      if (isOfSize) this.#apart.set(contract, this.#options.now() + REFUSED_MS);
      throw error;
    }
  }

  #size(): number {
    const refused = this.#refused;
    if (refused === undefined) return LARGEST_GROUP;
    if (this.#options.now() < refused.until) return refused.size;
    this.#refused = undefined;
    return LARGEST_GROUP;
  }

  #note(contract: string, now: number): void {
    this.#active.delete(contract);
    this.#active.set(contract, now);
    for (const [each, at] of this.#active) {
      if (now - at <= this.#activeMs) break;
      this.#active.delete(each);
    }
  }

  #isApart(contract: string, now: number): boolean {
    const until = this.#apart.get(contract);
    if (until !== undefined && now >= until) this.#apart.delete(contract);
    return until !== undefined && now < until;
  }

  /** Returns the request that has a contract's part; undefined where it is to ask alone. */
  #groupFor(contract: string, filter: LogFilter, key: string, options: AskOptions, now: number): Group | undefined {
    const groups = (this.#groups.get(key) ?? []).filter(({ askedAt }) => now - askedAt < ANSWER_MS);
    const present = groups.find(({ waiting }) => waiting.has(contract));
    if (present !== undefined) {
      present.waiting.delete(contract);
      return present;
    }
    if (groups.some(({ contracts }) => contracts.has(contract))) return undefined;
    const isFree = (each: string) =>
      each !== contract && !this.#isApart(each, now) && !groups.some(({ contracts }) => contracts.has(each));
    const contracts = [contract, ...[...this.#active.keys()].filter(isFree)].slice(0, this.#size());
    if (contracts.length === 1) return undefined;
    const group = this.#ask(contracts, filter, options, now);
    this.#groups.delete(key);
    this.#groups.set(key, [...groups, group]);
    for (const oldest of this.#groups.keys()) {
      if (this.#groups.size <= MAX_FILTERS) break;
      this.#groups.delete(oldest);
    }
    return group;
  }

  #ask([first = "", ...others]: readonly string[], filter: LogFilter, options: AskOptions, now: number): Group {
    const contracts = new Set([first, ...others]);
    const isBlocked = this.#options.endpoint.isBlocked(COUNTED_AS);
    const ask = async () => {
      const params = [{ address: [...contracts], ...filter }];
      const all = { ...options, small: false, countedAs: COUNTED_AS };
      const answer = await this.#options.endpoint.answer("eth_getLogs", params, this.#stopping.signal, all);
      return { answer, logs: byContract(answer.result, contracts) };
    };
    const answer = ask();
    // Those who would have had a part may never ask for it.
    answer.catch(() => undefined);
    return { contracts, waiting: new Set(others), answer, askedAt: now, isBlocked, isProbed: false };
  }

  #keyOf(filter: LogFilter, head: string, { last = new Set(), limitMs, rounds }: AskOptions): string {
    const avoided = this.#options.endpoint.urls.map((url) => last.has(url));
    return JSON.stringify([filter, head, avoided, limitMs, rounds]);
  }
}

/** Thrown for an answer that has something of which nobody knows whose it is. */
class MixedAnswer extends Error {}

/** @throws MixedAnswer unless all of an answer names the contract that it is of */
function byContract(result: unknown, contracts: ReadonlySet<string>): ReadonlyMap<string, readonly unknown[]> {
  if (!Array.isArray(result)) throw new MixedAnswer("not a list of logs");
  const logs = new Map<string, unknown[]>();
  for (const log of result) {
    const address = String((log as { readonly address?: unknown } | null)?.address).toLowerCase();
    if (!contracts.has(address)) throw new MixedAnswer("a log of another contract");
    const own = logs.get(address) ?? [];
    logs.set(address, own);
    own.push(log);
  }
  return logs;
}
