import { setTimeout as delay } from "node:timers/promises";
import { SourceFault } from "../../chains/base/source-fault.ts";
import type { PinnedBlock } from "../../chains/evm/pinned-block.ts";
import type { IndexRange } from "../../contracts/contract-facts.ts";
import type { ContractView } from "../../contracts/evm-family.ts";
import type { AllocationJoin } from "../../contracts/reading/evm/allocation-join.ts";
import { ChunkSize } from "../../contracts/reading/evm/chunk-size.ts";
import { IdSet } from "../../contracts/reading/evm/id-set.ts";
import { prefetch } from "../../contracts/reading/evm/prefetch.ts";
import { RowReader } from "../../contracts/reading/evm/row-reader.ts";
import { requireNew } from "../../contracts/reading/evm/sweep.ts";
import type { SourceCommitment } from "../../contracts/source-commitment.ts";

/** Rows in the first request; later ones adapt to the node. */
const FIRST_ROWS = 500;
/** Requests for rows at once. The endpoint bounds them too. */
const AT_ONCE = 4;
/** Attempts for a range of rows, and the wait before each further one. Public nodes limit the rate of requests. */
const WAITS_MS = [1_000, 5_000, 15_000, 30_000];

/**
 * Reads all commitments of a contract at one block.
 *
 * @param allocations joins them with what is accepted of them; undefined where the contract doesn't say that
 * @throws SourceFault, also if one is listed twice
 */
export async function* contractRows(
  pinned: PinnedBlock,
  view: ContractView,
  count: bigint,
  allocations: AllocationJoin | undefined,
  signal: AbortSignal,
): AsyncGenerator<readonly SourceCommitment[], void, undefined> {
  const chunkSize = new ChunkSize(FIRST_ROWS);
  const reader = new RowReader({ pinned, view, chunkSize, allocations });
  const readIds = new IdSet();
  for await (const rows of prefetch(chunks(reader, chunkSize, count), AT_ONCE, signal)) {
    for (const { commitmentId } of rows) requireNew(readIds, commitmentId);
    yield rows;
  }
  await pinned.verify(signal);
}

function* chunks(
  reader: RowReader,
  chunkSize: ChunkSize,
  count: bigint,
): Generator<(signal: AbortSignal) => Promise<readonly SourceCommitment[]>, void, undefined> {
  for (let from = 0n; from < count; ) {
    const to = from + BigInt(chunkSize.rows) < count ? from + BigInt(chunkSize.rows) : count;
    const range = { from, to };
    from = to;
    yield (signal) => patiently(reader, range, signal);
  }
}

/** Reads a range, again if the node is busy. */
async function patiently(
  reader: RowReader,
  range: IndexRange,
  signal: AbortSignal,
): Promise<readonly SourceCommitment[]> {
  for (const waitMs of WAITS_MS) {
    try {
      return await reader.rows(range, signal);
    } catch (error) {
      if (!isBusy(error)) throw error;
      await delay(Math.max(waitMs, error.retryAfterMs ?? 0), undefined, { signal });
    }
  }
  return reader.rows(range, signal);
}

/** Whether a node asks for patience. A block that is gone, or a contract that reverts, isn't worth another attempt. */
function isBusy(error: unknown): error is SourceFault {
  return error instanceof SourceFault && error.retryAfterMs !== undefined && error.retryAfterMs > 0;
}
