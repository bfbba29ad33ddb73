import { LRUCache } from "lru-cache";
import pLimit, { type LimitFunction } from "p-limit";
import type { CheckTarget, SourceCheck } from "../../../common/contracts/chain-connection.ts";
import type { ChainConnections } from "../../../common/contracts/connecting/chain-connections.ts";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import { untilAborted } from "../../../common/platform/concurrency/until-aborted.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { contractFamilyOf } from "../../../common/sale/definition/contract-family.ts";
import type { ContractFamily as ContractFamilyMessage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { CACHED_CHECK_MS, CHECK_RETRY_AFTER_S, LONGEST_CHECK_MS } from "../base/lifetimes.ts";

/** Checks of one chain that run at once. Few, because its nodes are there for the sales that are read. */
const MAX_RUNNING = 2;
/** Checks of one chain that wait for others to end. */
const MAX_WAITING = 8;
const MAX_CACHED = 1_000;

interface ChainTarget extends CheckTarget {
  readonly chain: string;
}

export interface SourceChecksOptions<Result extends object = SourceCheck> {
  /** A monotonic clock in milliseconds. Default: `performance`. */
  readonly clock?: Pick<Performance, "now">;
  /** Addresses whose check is kept, of all chains together. Default 1,000. */
  readonly maxCached?: number;
  /** Whether a result is kept for later callers. Default: every one is. */
  readonly isKept?: (result: Result) => boolean;
}

/** The chains, with a check of an address on each. */
export interface CheckedChains<Result> {
  get(name: string): { check(target: CheckTarget, signal: AbortSignal): Promise<Result> };
}

/**
 * Checks addresses on behalf of people, possibly anybody. Each chain runs few checks at once, results are kept for 10 s,
 * and simultaneous callers for one address share a check. Results that aren't worth keeping are only shared.
 */
export class SourceChecks<Result extends object = SourceCheck> {
  readonly #chains: CheckedChains<Result>;
  readonly #limits = new Map<string, LimitFunction>();
  readonly #checks: LRUCache<string, Result, ChainTarget>;
  readonly #isKept: (result: Result) => boolean;
  readonly #ending = new AbortController();

  /** @param chains every chain that `check` is asked for must be configured, so that their number is bounded. */
  constructor(chains: CheckedChains<Result>, options: SourceChecksOptions<Result> = {}) {
    this.#chains = chains;
    this.#isKept = options.isKept ?? (() => true);
    this.#checks = new LRUCache<string, Result, ChainTarget>({
      ...atMost(options.maxCached ?? MAX_CACHED),
      ttl: CACHED_CHECK_MS,
      ttlResolution: 0,
      perf: options.clock ?? performance,
      // A check that makes room for another one still ends for its callers.
      ignoreFetchAbort: true,
      fetchMethod: (_key, _stale, { context }) => this.#queue(context),
    });
  }

  /**
   * The result of a check that ended at most 10 s ago, or of a new one.
   *
   * @throws ServiceError `resource_exhausted` if too many wait, `deadline_exceeded` if the chain's nodes take too long;
   *   the signal's reason once that is aborted; SourceFault as `ChainConnection.check` does.
   */
  check(target: ChainTarget, signal: AbortSignal): Promise<Result> {
    const { chain, address, contractVersion = "", contractFamily = "" } = target;
    const key = `${chain} ${address} ${contractVersion} ${contractFamily}`;
    return untilAborted(this.#shared(key, target), AbortSignal.any([signal, this.#ending.signal]));
  }

  async #shared(key: string, context: ChainTarget): Promise<Result> {
    const result = await this.#checks.forceFetch(key, { context });
    if (!this.#isKept(result)) this.#checks.delete(key);
    return result;
  }

  /** Ends all checks. */
  close(): void {
    this.#ending.abort(new ServiceError("unavailable", "the indexer stops"));
  }

  /** The caller's signal doesn't end this check: others may wait for it, and its result is kept. */
  async #queue(target: ChainTarget): Promise<Result> {
    const { chain } = target;
    const limit = this.#limits.get(chain) ?? pLimit(MAX_RUNNING);
    this.#limits.set(chain, limit);
    if (limit.activeCount + limit.pendingCount >= MAX_RUNNING + MAX_WAITING) {
      throw new ServiceError("resource_exhausted", `too many addresses of chain ${chain} are being checked`, {
        retryAfterSeconds: CHECK_RETRY_AFTER_S,
      });
    }
    return limit(() => this.#run(target));
  }

  async #run({ chain, ...target }: ChainTarget): Promise<Result> {
    const late = new AbortController();
    const tooLong = new ServiceError("deadline_exceeded", `the nodes of chain ${chain} take too long; try again later`);
    const timer = setTimeout(() => late.abort(tooLong), LONGEST_CHECK_MS);
    try {
      const signal = AbortSignal.any([late.signal, this.#ending.signal]);
      signal.throwIfAborted();
      return await untilAborted(this.#chains.get(chain).check(target, signal), signal);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** @throws ServiceError `not_found` for a chain that isn't configured */
export function requireChain(connections: ChainConnections, chain: string): void {
  if (connections.has(chain)) return;
  const message = `chain ${chain} isn't configured; there are: ${connections.names().join(", ")}`;
  throw new ServiceError("not_found", message);
}

/** Returns the field of a target for the family of contracts that a request names; none where it names none. */
export function declaredFamily(message: ContractFamilyMessage): Pick<CheckTarget, "contractFamily"> {
  const contractFamily = contractFamilyOf(message);
  return contractFamily === undefined ? {} : { contractFamily };
}
