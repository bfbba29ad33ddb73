import { SourceFault } from "../../../chains/base/source-fault.ts";
import { ContradictoryAnswers, type PinnedBlock } from "../../../chains/evm/pinned-block.ts";
import { mayFitIfSmaller, RpcFault } from "../../../chains/evm/rpc-fault.ts";
import { COMMITMENT_LIMITS } from "../../../sale/record/commitment-limits.ts";
import type { IndexRange } from "../../contract-facts.ts";
import type { ContractView } from "../../evm-family.ts";
import type { SourceCommitment } from "../../source-commitment.ts";
import { type AllocationJoin, UnjoinableAllocations } from "./allocation-join.ts";
import type { ChunkSize } from "./chunk-size.ts";

export interface RowReaderOptions {
  readonly pinned: PinnedBlock;
  readonly view: ContractView;
  /** Shared by all reads of a sale, so that the sizes that nodes refuse stay known. */
  readonly chunkSize: ChunkSize;
  /** The sale's tokens, in lower case; absent if it has none yet. */
  readonly paymentTokens?: readonly string[];
  /** Joins rows with what is accepted of them; absent where the contract's allocations aren't read. */
  readonly allocations?: AllocationJoin | undefined;
}

/** Reads rows at a pinned block, in requests as large as the node allows. */
export class RowReader {
  readonly #options: RowReaderOptions;
  readonly #tokens: ReadonlySet<string> | undefined;

  constructor(options: RowReaderOptions) {
    this.#options = options;
    this.#tokens = options.paymentTokens && new Set(options.paymentTokens);
  }

  /** Reads and checks the rows of a range. Errors are those of `PinnedBlock.call` and `checkRow`. */
  async rows({ from, to }: IndexRange, signal: AbortSignal): Promise<readonly SourceCommitment[]> {
    const parts: (readonly SourceCommitment[])[] = [];
    for (let next = from; next < to; ) {
      const part = await this.#firstRows(next, to, signal);
      for (const row of part) checkRow(row, this.#tokens);
      parts.push(part);
      next += BigInt(part.length);
    }
    return parts.length === 1 ? (parts[0] ?? []) : parts.flat();
  }

  /** Reads the first rows of a range, fewer after each refusal. */
  async #firstRows(from: bigint, to: bigint, signal: AbortSignal): Promise<readonly SourceCommitment[]> {
    const { chunkSize } = this.#options;
    for (;;) {
      const rows = Math.min(chunkSize.rows, Number(to - from));
      try {
        const part = await this.#chunk(from, rows, signal);
        chunkSize.succeeded(rows);
        return part;
      } catch (error) {
        if (isRevert(error)) await this.#checkCount(from + BigInt(rows), signal);
        const mayBeTooLarge = mayFitIfSmaller(error) || (await this.#onlySmallSucceeds(error, from, rows, signal));
        if (!mayBeTooLarge || !chunkSize.failed(rows)) throw rowFault(error, from);
      }
    }
  }

  async #chunk(from: bigint, rows: number, signal: AbortSignal): Promise<readonly SourceCommitment[]> {
    const { pinned, view, allocations } = this.#options;
    const range = { from, to: from + BigInt(rows) };
    const reading = view.rows(pinned, range, signal);
    if (allocations === undefined) return reading;
    const [read, accepted] = await Promise.all([reading, view.allocations(pinned, range, signal)]);
    return allocations.join(read, accepted);
  }

  /** Whether the first row alone can be read after a failure of unknown reason, so that the size may be the reason. */
  async #onlySmallSucceeds(error: unknown, from: bigint, rows: number, signal: AbortSignal): Promise<boolean> {
    if (rows === 1 || !hasUnknownReason(error)) return false;
    const single = this.#chunk(from, 1, signal);
    return await single.then(
      () => true,
      () => false,
    );
  }

  /** Checks whether the contract has fewer rows than counted before, which it can't at the same block. */
  async #checkCount(to: bigint, signal: AbortSignal): Promise<void> {
    const { pinned, view } = this.#options;
    const count = await view.count(pinned, signal);
    if (count >= to) return;
    const answers = `first ${to} commitments or more, then ${count}`;
    throw new ContradictoryAnswers(
      `the node's answers about block ${pinned.block.number} contradict each other: ${answers}`,
    );
  }
}

/**
 * Whether nothing is known about the reason. It may be the size: nodes and their proxies have words of their own for that,
 * and some answer nothing, or only the beginning.
 */
function hasUnknownReason(error: unknown): boolean {
  if (error instanceof UnjoinableAllocations) return false;
  return error instanceof RpcFault ? error.kind === "unavailable" : error instanceof SourceFault;
}

function isRevert(error: unknown): boolean {
  return error instanceof RpcFault && error.kind === "reverted";
}

/** A fault that names the row, if it can't even be read alone; else the error itself. */
function rowFault(error: unknown, index: bigint): unknown {
  if (!mayFitIfSmaller(error) || !(error instanceof SourceFault)) return error;
  return new SourceFault(`the row at index ${index} can't be read, even alone: ${error.message}`, {
    remedy: "wait",
    cause: error,
  });
}

/**
 * Checks that a decoded row can be stored.
 *
 * @param paymentTokens the sale's tokens, in lower case; undefined if any is right.
 * @throws SourceFault naming the commitment and the problem; its remedy is `mend`.
 */
function checkRow(row: SourceCommitment, paymentTokens: ReadonlySet<string> | undefined): void {
  const problem = rowProblem(row) ?? (paymentTokens && tokenProblem(row, paymentTokens));
  if (problem === undefined) return;
  throw new SourceFault(`commitment 0x${row.commitmentId} of the contract ${problem}`, { remedy: "mend" });
}

function rowProblem({ createdAtSeconds, amounts, accepted = [], extraData }: SourceCommitment): string | undefined {
  const limits = COMMITMENT_LIMITS;
  if (createdAtSeconds > limits.lastCreatedAtSeconds) return `has a time after the year 9999 (${createdAtSeconds})`;
  if (accepted.length > limits.amounts)
    return `has ${accepted.length} accepted amounts; ${limits.amounts} are supported`;
  if (amounts.length > limits.amounts) return `has ${amounts.length} amounts; ${limits.amounts} are supported`;
  if (extraData.length <= limits.extraDataBytes) return undefined;
  return `has ${extraData.length} bytes of extra data; ${limits.extraDataBytes} are supported`;
}

function tokenProblem(
  { amounts, accepted = [] }: SourceCommitment,
  paymentTokens: ReadonlySet<string>,
): string | undefined {
  // Contracts may list a zero for every token that they know of. Only an amount would be missing from the figures.
  const unknown = [...amounts, ...accepted].find(({ token, amount }) => amount !== 0n && !paymentTokens.has(token));
  return unknown && `has an amount in token ${unknown.token}: add it to the payment tokens of the sale`;
}
