import type { SourcePosition, SourceStage, StoredSale } from "../../source/source-reader.ts";
import { type ContractLogs, logsAfter, logsEntityLately } from "../contract/contract-logs.ts";
import type { OptionalFunctions } from "../contract/optional-functions.ts";
import { PinnedBlock } from "../contract/pinned-block.ts";
import type { SaleCalls } from "../contract/sale-calls.ts";
import { checkSaleUuid, readSaleFacts, type SaleFacts } from "../contract/sale-facts.ts";
import { positionOf } from "../nodes/block.ts";
import type { EvmEndpoint } from "../nodes/evm-endpoint.ts";
import type { Heads } from "../nodes/head-tracker.ts";
import { NodeTime } from "../nodes/node-time.ts";
import type { ChunkSize } from "./chunk-size.ts";
import type { Known } from "./read-partial.ts";
import { RowReader } from "./row-reader.ts";

/** What a reading learnt; valid once it is applied, for as long as the store stays there. */
export interface Learnt extends Known {
  readonly position: SourcePosition;
  readonly stage: SourceStage | undefined;
  /** Whether partial readings may follow, as far as rows and functions of the contract tell. */
  readonly suitsPartial: boolean;
}

export interface SessionOptions {
  readonly endpoint: EvmEndpoint;
  readonly contract: string;
  readonly saleUuid: string;
  readonly calls: SaleCalls;
  readonly optional: OptionalFunctions;
  readonly chunkSize: ChunkSize;
  readonly heads: Heads;
  readonly stored: StoredSale;
  /** From the reading that the store is at. */
  readonly learnt: Learnt | undefined;
  readonly signal: AbortSignal;
  /** More commitments than that aren't read. */
  readonly maxCommitments: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** One reading's view of the contract: everything at the same block. */
export class ReadSession {
  readonly options: SessionOptions;
  readonly rows: RowReader;
  /** What nodes took for facts and rows. */
  readonly nodeTime: NodeTime;
  readonly #pinned: PinnedBlock;
  #logs: Promise<ContractLogs> | undefined;

  constructor(options: SessionOptions) {
    this.options = options;
    const { endpoint, contract, heads, calls, chunkSize, stored } = options;
    this.nodeTime = new NodeTime(options.now);
    this.#pinned = new PinnedBlock(endpoint, contract, heads.readable, this.nodeTime);
    this.rows = new RowReader({ pinned: this.#pinned, calls, chunkSize, paymentTokens: stored.paymentTokens });
  }

  get position(): SourcePosition {
    return positionOf(this.options.heads.readable);
  }

  facts(): Promise<SaleFacts> {
    const { calls, optional, maxCommitments, signal } = this.options;
    return readSaleFacts(this.#pinned, calls, optional, maxCommitments, signal);
  }

  checkSaleUuid(): Promise<void> {
    const { calls, optional, saleUuid, signal } = this.options;
    return checkSaleUuid(this.#pinned, calls, optional, saleUuid, signal);
  }

  /** To be called after the last read: see `PinnedBlock.verify`. */
  verify(): Promise<void> {
    return this.#pinned.verify(this.options.signal);
  }

  /** The logs since a position, asked for once. Errors as in `logsAfter`. */
  logsSince(position: SourcePosition): Promise<ContractLogs> {
    const { endpoint, contract, heads, signal } = this.options;
    this.#logs ??= logsAfter(endpoint, contract, position, heads.readable, signal);
    return this.#logs;
  }

  /** The same logs, asked for anew. Errors as in `logsAfter`. */
  logsAgain(position: SourcePosition): Promise<ContractLogs> {
    this.#logs = undefined;
    return this.logsSince(position);
  }

  /** Whether the contract is seen to log, where the node tells: the entity listed last, as the youngest ones are those of whom logs are near. */
  async logsLately(count: bigint): Promise<boolean | undefined> {
    const { endpoint, contract, heads, signal } = this.options;
    const [last] = await this.rows.rows({ from: count - 1n, to: count }, signal);
    return last && logsEntityLately(endpoint, contract, last.entityId, heads.readable, signal);
  }
}
