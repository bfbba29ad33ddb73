import { Code, ConnectError } from "@connectrpc/connect";
import pRetry from "p-retry";
import { toServiceError } from "../platform/rpc/errors.ts";
import { ImportError } from "../sale/csv/import-error.ts";

/** Rows of a part, at most: below the least default of `APPLY_MAX_ROWS`, and few enough to show progress. */
export const MAX_ROWS = 1_000;
const MAX_RETRIES = 5;
const FIRST_BACKOFF_MS = 100;

/** A part of an import. */
export interface ImportPart {
  /** Field of the request with the rows. */
  readonly field: "upserts" | "allocations";
  /** The rows in the order of the request, each with its line in the file. */
  readonly rows: readonly { readonly line: number }[];
  readonly signal: AbortSignal;
}

/** Outcome of a part. */
export interface PartResult {
  readonly revision: bigint;
  /** Whether the whole import had been applied before. */
  readonly wasApplied: boolean;
}

/**
 * Sends a part, again while it isn't known whether it has arrived.
 *
 * @throws ImportError for a row that the service refuses, and what the call throws
 */
export async function sendPart(
  call: () => Promise<{ readonly revision: bigint; readonly repeatedRequest: boolean }>,
  part: ImportPart,
): Promise<PartResult> {
  const { revision, repeatedRequest } = await pRetry(call, {
    retries: MAX_RETRIES,
    minTimeout: FIRST_BACKOFF_MS,
    randomize: true,
    shouldRetry: ({ error }) => isUnknownOutcome(error),
    signal: part.signal,
  }).catch((error: unknown) => {
    throw atLine(error, part);
  });
  return { revision, wasApplied: repeatedRequest };
}

/** Returns a refusal of a row with its line in the file; any other error as it is. */
function atLine(error: unknown, { field: rowsField, rows }: ImportPart): unknown {
  const [violation] = toServiceError(error)?.violations ?? [];
  const [, name, index, field] = /^(\w+)\[(\d+)\]\.?(.*)$/.exec(violation?.field ?? "") ?? [];
  const wrong = name === rowsField ? rows[Number(index)] : undefined;
  return wrong === undefined ? error : new ImportError(wrong.line, `${field}: ${violation?.message}`);
}

function isUnknownOutcome(error: unknown): boolean {
  const { code } = ConnectError.from(error);
  return code === Code.Unavailable || code === Code.DeadlineExceeded;
}
