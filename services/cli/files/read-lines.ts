import { createReadStream } from "node:fs";
import { fileFailure } from "./file-failure.ts";

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
    throw fileFailure(path, error);
  }
}
