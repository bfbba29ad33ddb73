import type { Client } from "@connectrpc/connect";
import { derivedUuid, type SentImport } from "../../../common/internal-api/send-import.ts";
import { MAX_ROWS, type PartResult, sendPart } from "../../../common/internal-api/send-part.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { ImportedAllocation } from "./allocation-file.ts";

export interface AllocationTarget {
  readonly commitments: Pick<Client<typeof CommitmentService>, "setAllocations">;
  readonly saleUuid: string;
  /** Names the import; see `ImportTarget.importId`. */
  readonly importId: string;
  /** The sums of all allocations by token, which the service checks. */
  readonly totals: ReadonlyMap<string, bigint>;
  readonly signal: AbortSignal;
}

/**
 * Replaces all allocations of a settled sale that isn't read from a contract, and yields how far it is: they change at once with
 * the last part, as one revision.
 *
 * @throws ImportError for an allocation that the service refuses, and what the call throws. Sending the same again goes on where it ended
 */
export async function* sendAllocations(
  allocations: AsyncIterable<ImportedAllocation>,
  target: AllocationTarget,
): AsyncGenerator<SentImport, void> {
  const batches = batchesOf(allocations);
  let next = await batches.next();
  let sent = 0n;
  for (let part = 0, last = false; !last; part += 1) {
    // A set without allocations has one part, too.
    const batch = next.value ?? [];
    next = await batches.next();
    last = next.done === true;
    const result = await sendBatch(batch, part, last, target);
    sent += BigInt(batch.length);
    yield { sent, ...result };
  }
}

async function sendBatch(
  batch: readonly ImportedAllocation[],
  part: number,
  last: boolean,
  target: AllocationTarget,
): Promise<PartResult> {
  const { commitments, saleUuid, signal, totals } = target;
  const accepted = Array.from(totals, ([token, sum]) => ({ token, amount: sum.toString() }));
  const request = {
    saleUuid,
    requestId: derivedUuid(target, `allocations part ${part}`),
    set: { changeSetUuid: derivedUuid(target, "allocations"), part, last },
    allocations: batch.map(({ allocation }) => allocation),
    ...(last && { totals: { accepted } }),
  };
  const call = () => commitments.setAllocations(request, { signal });
  return sendPart(call, { field: "allocations", rows: batch, signal });
}

async function* batchesOf(allocations: AsyncIterable<ImportedAllocation>): AsyncGenerator<ImportedAllocation[], void> {
  let batch: ImportedAllocation[] = [];
  for await (const allocation of allocations) {
    batch.push(allocation);
    if (batch.length < MAX_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
