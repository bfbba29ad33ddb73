import { createReadStream } from "node:fs";
import { ListFileError } from "../../../common/sale/csv/list-file-error.ts";
import { CommandFailure } from "../base/cli-error.ts";

/**
 * Reads a file of lines.
 *
 * @param read yields the lines of the file's bytes
 * @throws CommandFailure naming the file, for one that can't be read (any further)
 */
export async function* readLines<Line>(
  path: string,
  read: (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Line>,
  signal: AbortSignal,
): AsyncGenerator<Line, void> {
  try {
    for await (const line of read(createReadStream(path))) {
      signal.throwIfAborted();
      yield line;
    }
  } catch (error) {
    throw ofFile(path, error);
  }
}

function ofFile(path: string, error: unknown): unknown {
  if (error instanceof ListFileError) {
    const place = error.line === undefined ? "" : `line ${error.line}: `;
    return new CommandFailure(`${path}: ${place}${error.message}`);
  }
  const isSystemError = error instanceof Error && "code" in error && "syscall" in error;
  return isSystemError ? new CommandFailure(`${path}: ${error.message}`) : error;
}
