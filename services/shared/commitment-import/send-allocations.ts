import type { Client } from "@connectrpc/connect";
import pRetry from "p-retry";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { toServiceError } from "../rpc/errors.ts";
import type { ImportedAllocation } from "./allocation-file.ts";
import { ImportError } from "./import-error.ts";
import { derivedUuid, isUnknownOutcome, type SentImport } from "./send-import.ts";

/** Below the least default of `APPLY_MAX_ROWS`, and small enough to show progress. */
const MAX_ROWS = 1_000;
const MAX_RETRIES = 5;
const FIRST_BACKOFF_MS = 100;

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
    const result = await sendPart(batch, part, last, target);
    sent += BigInt(batch.length);
    yield { sent, ...result };
  }
}

async function sendPart(
  batch: readonly ImportedAllocation[],
  part: number,
  last: boolean,
  target: AllocationTarget,
): Promise<Omit<SentImport, "sent">> {
  const { commitments, saleUuid, signal, totals } = target;
  const accepted = Array.from(totals, ([token, sum]) => ({ token, amount: sum.toString() }));
  const request = {
    saleUuid,
    requestId: derivedUuid(target, `allocations part ${part}`),
    set: { changeSetUuid: derivedUuid(target, "allocations"), part, last },
    allocations: batch.map(({ allocation }) => allocation),
    ...(last && { totals: { accepted } }),
  };
  const options = { retries: MAX_RETRIES, minTimeout: FIRST_BACKOFF_MS, randomize: true, signal };
  const shouldRetry = ({ error }: { readonly error: unknown }) => isUnknownOutcome(error);
  const sending = pRetry(() => commitments.setAllocations(request, { signal }), { ...options, shouldRetry });
  const { revision, repeatedRequest } = await sending.catch((error: unknown) => {
    throw atLine(error, batch);
  });
  return { revision, wasApplied: repeatedRequest };
}

/** Returns a refusal of an allocation with its line in the file; any other error as it is. */
function atLine(error: unknown, batch: readonly ImportedAllocation[]): unknown {
  const [violation] = toServiceError(error)?.violations ?? [];
  const [, index, field] = /^allocations\[(\d+)\]\.?(.*)$/.exec(violation?.field ?? "") ?? [];
  const wrong = index === undefined ? undefined : batch[Number(index)];
  return wrong === undefined ? error : new ImportError(wrong.line, `${field}: ${violation?.message}`);
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
