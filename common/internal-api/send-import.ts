import { createHash } from "node:crypto";
import type { Client } from "@connectrpc/connect";
import type { CommitmentService } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { uuidFromBytes } from "../platform/encoding/uuid.ts";
import type { ImportedCommitment } from "../sale/csv/commitment-fields.ts";
import { MAX_ROWS, type PartResult, sendPart } from "./send-part.ts";

const MAX_BYTES = 4 * 2 ** 20;
/** Bytes of a record without extra data and amounts, and of an amount, at most. */
const RECORD_BYTES = 100;
const AMOUNT_BYTES = 220;

export interface ImportTarget {
  readonly commitments: Pick<Client<typeof CommitmentService>, "applyCommitments">;
  readonly saleUuid: string;
  /**
   * Names the import. Request IDs and the change set's UUID follow from it, so that the same import goes on after a
   * failure and is applied once.
   */
  readonly importId: string;
  readonly signal: AbortSignal;
}

/** State of an import after each of its parts. */
export interface SentImport extends PartResult {
  /** Commitments, or allocations, sent so far. */
  readonly sent: bigint;
}

/**
 * Inserts or replaces commitments of a sale that isn't read from a contract, and yields how far it is: all of them become visible at
 * once with the last part, as one revision.
 *
 * @throws ImportError for a record that the service refuses, and what the call throws. Sending the same import again goes on where it ended
 */
export async function* sendImport(
  commitments: AsyncIterable<ImportedCommitment>,
  target: ImportTarget,
): AsyncGenerator<SentImport, void> {
  const batches = batchesOf(commitments);
  let next = await batches.next();
  let sent = 0n;
  for (let part = 0; !next.done; part++) {
    const batch = next.value;
    next = await batches.next();
    const result = await sendBatch(batch, part, next.done === true, target);
    sent += BigInt(batch.length);
    yield { sent, ...result };
  }
}

async function sendBatch(
  batch: readonly ImportedCommitment[],
  part: number,
  last: boolean,
  target: ImportTarget,
): Promise<PartResult> {
  const { commitments, saleUuid, signal } = target;
  const isWhole = part === 0 && last;
  const request = {
    saleUuid,
    requestId: derivedUuid(target, `part ${part}`),
    upserts: batch.map(({ record }) => record),
    ...(isWhole ? {} : { changeSet: { changeSetUuid: derivedUuid(target, "set"), part, last } }),
  };
  return sendPart(() => commitments.applyCommitments(request, { signal }), { field: "upserts", rows: batch, signal });
}

async function* batchesOf(commitments: AsyncIterable<ImportedCommitment>): AsyncGenerator<ImportedCommitment[], void> {
  let batch: ImportedCommitment[] = [];
  let bytes = 0;
  for await (const commitment of commitments) {
    const { record } = commitment;
    const size = RECORD_BYTES + record.extraData.length + record.demand.length + AMOUNT_BYTES * record.amounts.length;
    if (batch.length >= MAX_ROWS || (batch.length > 0 && bytes + size > MAX_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(commitment);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** A UUID of version 8 (RFC 9562 section 5.8) that follows from the import, its sale and a purpose. */
export function derivedUuid(
  { importId, saleUuid }: Pick<ImportTarget, "importId" | "saleUuid">,
  purpose: string,
): string {
  const bytes = createHash("sha256").update(`${importId} ${saleUuid} ${purpose}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return uuidFromBytes(new Uint8Array(bytes));
}
