import { SourceFault } from "../../../chains/base/source-fault.ts";
import type { SourcePosition } from "../../../chains/base/source-position.ts";
import { positionOf } from "../../../chains/evm/block.ts";
import { commonAncestor } from "../../../chains/evm/common-ancestor.ts";
import type { EvmEndpoint } from "../../../chains/evm/evm-endpoint.ts";
import type { Heads } from "../../../chains/evm/head-tracker.ts";
import { NodeTime } from "../../../chains/evm/node-time.ts";
import { PinnedBlock } from "../../../chains/evm/pinned-block.ts";
import { isCanonical, readBlock } from "../../../chains/evm/read-block.ts";
import type { RecentHeaders } from "../../../chains/evm/recent-headers.ts";
import type { RpcUrl } from "../../../chains/evm/rpc-url.ts";
import type { SharedLogs } from "../../../chains/evm/shared-logs.ts";
import type { AllocationFacts, ContractFacts, ReleaseNumber } from "../../contract-facts.ts";
import type { ContractView, EvmFamily } from "../../evm-family.ts";
import type { SecondQuestions } from "../../second-questions.ts";
import type { StoredSale } from "../../source-reader.ts";
import type { AllocationJoin } from "./allocation-join.ts";
import type { AppliedState } from "./applied-state.ts";
import type { ChunkSize } from "./chunk-size.ts";
import { hasLoggedRecently, logsAfter, logsOfPast, logsOnceMore } from "./contract-logs.ts";
import { SECOND_QUESTION } from "./contract-logs-query.ts";
import type { MissingLogs } from "./log-trust.ts";
import type { ContractLogs, NoAnswer } from "./logged-changes.ts";
import { checkSaleUuid, readFacts } from "./read-facts.ts";
import { RowReader } from "./row-reader.ts";
import { LateLogs, SweepRequired } from "./sweep-required.ts";

export interface SessionOptions {
  readonly endpoint: EvmEndpoint;
  readonly headers: RecentHeaders;
  readonly contract: string;
  readonly family: EvmFamily;
  readonly view: ContractView;
  readonly secondQuestions: SecondQuestions;
  readonly sharedLogs?: SharedLogs | undefined;
  readonly saleUuid: string;
  readonly chunkSize: ChunkSize;
  readonly heads: Heads;
  readonly stored: StoredSale;
  /** The state at the store's position, if known. */
  readonly applied: AppliedState | undefined;
  readonly signal: AbortSignal;
  /** Limit for the contract's commitments. */
  readonly maxCommitments: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** The contract as one read sees it: everything at the same block. */
export class ReadSession {
  readonly options: SessionOptions;
  /** Time that nodes took for facts and rows. */
  readonly nodeTime: NodeTime;
  readonly #pinned: PinnedBlock;
  /** The same contract at other blocks. */
  readonly #others: PinnedBlock[] = [];
  #logs: Promise<ContractLogs> | undefined;
  #rows: RowReader;

  constructor(options: SessionOptions) {
    this.options = options;
    const { endpoint, contract, heads } = options;
    this.nodeTime = new NodeTime(options.now);
    this.#pinned = new PinnedBlock(endpoint, contract, heads.readable, this.nodeTime);
    this.#rows = this.#rowReader(undefined);
  }

  /** Reads rows, with what is accepted of them once `withAllocations` has been called. */
  get rows(): RowReader {
    return this.#rows;
  }

  /** Makes `rows` read allocations as well. */
  withAllocations(allocations: AllocationJoin): void {
    this.#rows = this.#rowReader(allocations);
  }

  #rowReader(allocations: AllocationJoin | undefined): RowReader {
    const { view, chunkSize, stored } = this.options;
    const { paymentTokens } = stored;
    return new RowReader({ pinned: this.#pinned, view, chunkSize, paymentTokens, allocations });
  }

  get position(): SourcePosition {
    return positionOf(this.options.heads.readable);
  }

  facts(): Promise<ContractFacts> {
    const { view, maxCommitments, signal } = this.options;
    return readFacts(view, this.#pinned, maxCommitments, signal);
  }

  /** @param count number of the contract's commitments; errors are those of `ContractView` */
  allocationFacts(count: bigint): Promise<AllocationFacts> {
    const { view, signal } = this.options;
    return view.allocationFacts(this.#pinned, count, signal);
  }

  /** The contract's version; undefined if it doesn't say it. Errors are those of `ContractView`. */
  release(): Promise<ReleaseNumber | undefined> {
    const { view, signal } = this.options;
    return view.release(this.#pinned, signal);
  }

  /** Errors are those of the function of that name. */
  checkSaleUuid(): Promise<void> {
    return checkSaleUuid(this.options, this.#pinned, this.options.signal);
  }

  /** Must be called after the last read: see `PinnedBlock.verify`. */
  async verify(): Promise<void> {
    for (const pinned of [this.#pinned, ...this.#others]) await pinned.verify(this.options.signal);
  }

  /** The logs since a position, read once. Errors are those of `logsAfter`. */
  logsSince(position: SourcePosition): Promise<ContractLogs> {
    this.#logs ??= this.logsAfter(position);
    return this.#logs;
  }

  /** Reads the logs after a position. Errors are those of the function of that name. */
  logsAfter(position: SourcePosition): Promise<ContractLogs> {
    const { heads, signal } = this.options;
    return logsAfter(this.options, position, heads.readable, signal);
  }

  /** The logs of a range of blocks, to add to what was read before. See the function of that name. */
  logsOnceMore(range: readonly [bigint, bigint], avoided: ReadonlySet<RpcUrl>): Promise<ContractLogs | NoAnswer> {
    const { heads, signal } = this.options;
    return logsOnceMore(this.options, range, heads.readable.hash, signal, avoided);
  }

  /** Returns a function that reads the logs from a position to the session's block, even after the session. See `logsOfPast`. */
  pastLogs(from: SourcePosition): MissingLogs["readAgain"] {
    const { endpoint, contract, family, heads } = this.options;
    const between = { from, to: heads.readable };
    return (avoided, signal) => logsOfPast({ endpoint, contract, family }, between, signal, avoided);
  }

  /** Whether the chain has a block, according to the first URL that answers. Errors are those of `readBlock`. */
  async hasBlock({ height, hash }: SourcePosition): Promise<boolean> {
    const { endpoint, signal } = this.options;
    return (await readBlock(endpoint, height, signal))?.hash === hash;
  }

  /**
   * Whether the block that is read is after a position, on the same chain. Of up to 32 blocks between them the headers show it; else
   * one URL that has both.
   *
   * @throws LateLogs if no node can say.
   */
  async descendsFrom({ height, hash }: SourcePosition): Promise<boolean> {
    const { endpoint, headers, heads, signal } = this.options;
    const { number, parentHash } = heads.readable;
    if (number <= height + 1n) return number > height && parentHash === hash;
    const between = await headers.between(height, heads.readable, signal);
    if (between !== undefined) return between.at(-1)?.parentHash === hash;
    for (const url of endpoint.urls) {
      const ends = [positionOf(heads.readable), { height, hash }];
      const areOfChain = await Promise.all(
        ends.map((end) => isCanonical(endpoint, end, url, signal, SECOND_QUESTION)),
      ).catch(ignoreFault);
      if (areOfChain?.[0] === true) return areOfChain[1] === true;
    }
    throw new LateLogs("no node has both the block of the last read and that of this one");
  }

  /** The newest of the positions, given newest first, that the chain still has. @throws SourceFault */
  commonAncestor<Position extends SourcePosition>(positions: readonly Position[]): Promise<Position | undefined> {
    const { endpoint, heads, signal } = this.options;
    return commonAncestor(endpoint, positions, heads.readable, signal);
  }

  /** The number of rows at an earlier block. @throws SweepRequired if no node can say. */
  async countAt({ height, hash }: SourcePosition): Promise<bigint> {
    const { endpoint, contract, view, signal } = this.options;
    const pinned = new PinnedBlock(endpoint, contract, { number: height, hash }, this.nodeTime);
    this.#others.push(pinned);
    try {
      return await view.count(pinned, signal);
    } catch (error) {
      if (!(error instanceof SourceFault)) throw error;
      throw new SweepRequired(`the contract can't be read at block ${height} (${error.message})`, { cause: error });
    }
  }

  /**
   * Whether the contract has logged the row that it lists last, whose logs are probably recent; undefined if the node
   * doesn't answer.
   */
  async hasLogs(count: bigint): Promise<boolean | undefined> {
    const { heads, signal } = this.options;
    const [last] = await this.rows.rows({ from: count - 1n, to: count }, signal);
    return last && hasLoggedRecently(this.options, last, heads.readable, signal);
  }
}

/** Nothing can be learnt from a URL that doesn't answer. */
function ignoreFault(error: unknown): undefined {
  if (!(error instanceof SourceFault)) throw error;
}
