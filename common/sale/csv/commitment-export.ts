import type {
  ExportCommitmentsResponse,
  ListedCommitment,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { CsvFormat } from "./csv-format.ts";

/** The timeout of an `ExportCommitments` call, in milliseconds. The service ends it earlier. */
export const EXPORT_TIMEOUT_MS = 3_600_000;

const TEXT_LENGTH = 65_536;

/** An export that has begun. */
export interface CommitmentExport {
  readonly revision: bigint;
  /** The number of commitments. */
  readonly count: bigint;
  /** The sale's settings at that revision; undefined from a service of an older version. */
  readonly definition: SaleDefinition | undefined;
  /**
   * Yields the CSV in texts of moderate size, and calls `onProgress` with the number of commitments written so far.
   *
   * @throws what the call throws; Error if it ends before the last commitment
   */
  csv(format: CsvFormat, onProgress?: (commitments: bigint) => unknown): AsyncGenerator<string, void>;
}

/** Waits for the header of an export. @throws what the call throws */
export async function beginExport(parts: AsyncIterable<ExportCommitmentsResponse>): Promise<CommitmentExport> {
  const reader = parts[Symbol.asyncIterator]();
  const first = await reader.next();
  const part = first.done ? undefined : first.value.part;
  if (part?.case !== "header") throw new TypeError("an export must begin with its header");
  const { revision, commitmentCount: count, saysAccepted, definition } = part.value;
  const whole = { count, saysAccepted };
  return { revision, count, definition, csv: (format, onProgress) => csvOf(reader, whole, format, onProgress) };
}

async function* csvOf(
  parts: AsyncIterator<ExportCommitmentsResponse>,
  { count, saysAccepted }: { readonly count: bigint; readonly saysAccepted: boolean },
  format: CsvFormat,
  onProgress: (commitments: bigint) => unknown = () => {},
): AsyncGenerator<string, void> {
  let written = 0n;
  try {
    yield format.header;
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      const { part } = next.value;
      if (part.case !== "commitments") continue;
      const { commitments } = part.value;
      yield* textsOf(commitments, saysAccepted, format);
      written += BigInt(commitments.length);
      await onProgress(written);
    }
  } finally {
    await parts.return?.();
  }
  if (written !== count) throw new Error(`the export ended after ${written} of ${count} commitments`);
}

/** Joins lines, which one by one would take longer, to texts of moderate size, as lines may be long. */
function* textsOf(
  commitments: readonly ListedCommitment[],
  saysAccepted: boolean,
  { records }: CsvFormat,
): Generator<string> {
  let text = "";
  for (const commitment of commitments) {
    for (const line of records(commitment, saysAccepted)) text += line;
    if (text.length < TEXT_LENGTH) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}
