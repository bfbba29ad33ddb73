import type { ExportMembersResponse } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { PARTICIPANT_CSV_HEADER, participantCsv } from "./participant-csv.ts";
import type { NamedGroup } from "./participant-rows.ts";

/** The timeout of an `ExportMembers` call, in milliseconds. The service ends it earlier. */
export const EXPORT_TIMEOUT_MS = 900_000;

/**
 * Yields the CSV of an export, and calls `onProgress` with the members written so far and their number.
 *
 * @throws what the call throws; Error if it ends before the last member
 */
export async function* exportedCsv(
  parts: AsyncIterable<ExportMembersResponse>,
  groups: readonly NamedGroup[],
  onProgress: (written: bigint, total: bigint) => unknown = () => {},
): AsyncGenerator<string, void> {
  yield PARTICIPANT_CSV_HEADER;
  let total: bigint | undefined;
  let written = 0n;
  for await (const part of parts) {
    total ??= part.total;
    if (part.members.length === 0) continue;
    yield participantCsv(part.members, groups);
    written += BigInt(part.members.length);
    await onProgress(written, total);
  }
  if (written !== total) throw new Error(`the export ended after ${written} of ${total ?? "unknown"} members`);
}
