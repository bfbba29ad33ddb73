import type { ExportMembersResponse } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { MEMBER_CSV_HEADER, type MemberFileContext, memberCsv } from "./member-csv.ts";

/** The timeout of an `ExportMembers` call, in milliseconds. The service ends it earlier. */
export const EXPORT_TIMEOUT_MS = 3_600_000;

/** An export of members that has begun. */
export interface MemberExport {
  readonly total: bigint;
  /**
   * Yields the file, and calls `onProgress` with the number of members written so far.
   *
   * @throws what the call throws; Error if it ends before the last member
   */
  csv(onProgress?: (members: bigint) => unknown): AsyncGenerator<string, void>;
}

/** Waits for the first message of an export. @throws what the call throws */
export async function beginMemberExport(
  parts: AsyncIterable<ExportMembersResponse>,
  context: MemberFileContext,
): Promise<MemberExport> {
  const reader = parts[Symbol.asyncIterator]();
  const first = await reader.next();
  if (first.done) throw new TypeError("an export must begin with the number of members");
  return { total: first.value.total, csv: (onProgress) => csvOf(first.value, reader, context, onProgress) };
}

async function* csvOf(
  first: ExportMembersResponse,
  reader: AsyncIterator<ExportMembersResponse>,
  context: MemberFileContext,
  onProgress: (members: bigint) => unknown = () => {},
): AsyncGenerator<string, void> {
  let written = BigInt(first.members.length);
  try {
    yield MEMBER_CSV_HEADER + memberCsv(first.members, context);
    for (let next = await reader.next(); !next.done; next = await reader.next()) {
      const { members } = next.value;
      yield memberCsv(members, context);
      written += BigInt(members.length);
      await onProgress(written);
    }
  } finally {
    await reader.return?.();
  }
  if (written !== first.total) throw new Error(`the export ended after ${written} of ${first.total} members`);
}
