import type {
  ExportCommitmentsResponse,
  ListedCommitment,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { COMMITMENT_CSV_HEADER, commitmentCsv } from "./commitment-csv.ts";

/** The timeout of an `ExportCommitments` call, in milliseconds. The service ends it earlier. */
export const EXPORT_TIMEOUT_MS = 3_600_000;

const TEXT_LENGTH = 65_536;

/** An export that has begun. */
export interface CommitmentExport {
  readonly revision: bigint;
  /** The number of commitments. */
  readonly count: bigint;
  /**
   * Yields the CSV in texts of moderate size, and calls `onProgress` with the number of commitments written so far.
   *
   * @throws what the call throws; Error if it ends before the last commitment
   */
  csv(onProgress?: (commitments: bigint) => unknown): AsyncGenerator<string, void>;
}

/** Waits for the header of an export. @throws what the call throws */
export async function beginExport(parts: AsyncIterable<ExportCommitmentsResponse>): Promise<CommitmentExport> {
  const reader = parts[Symbol.asyncIterator]();
  const first = await reader.next();
  const part = first.done ? undefined : first.value.part;
  if (part?.case !== "header") throw new TypeError("an export must begin with its header");
  const { revision, commitmentCount: count } = part.value;
  return { revision, count, csv: (onProgress) => csvOf(reader, count, onProgress) };
}

async function* csvOf(
  parts: AsyncIterator<ExportCommitmentsResponse>,
  count: bigint,
  onProgress: (commitments: bigint) => unknown = () => {},
): AsyncGenerator<string, void> {
  let written = 0n;
  try {
    yield COMMITMENT_CSV_HEADER;
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      const { part } = next.value;
      if (part.case !== "commitments") continue;
      const { commitments } = part.value;
      yield* textsOf(commitments);
      written += BigInt(commitments.length);
      await onProgress(written);
    }
  } finally {
    await parts.return?.();
  }
  if (written !== count) throw new Error(`the export ended after ${written} of ${count} commitments`);
}

/** Joins lines, which one by one would take longer, to texts of moderate size, as lines may be long. */
function* textsOf(commitments: readonly ListedCommitment[]): Generator<string> {
  let text = "";
  for (const commitment of commitments) {
    for (const line of commitmentCsv(commitment)) text += line;
    if (text.length < TEXT_LENGTH) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}
