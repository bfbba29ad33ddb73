import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CommandFailure } from "../base/cli-error.ts";

/**
 * Writes a file that is there whole or not at all: it grows under the name with `.partial` behind it, and takes its
 * own, in place of an older one, at the end.
 *
 * @throws CommandFailure where the file can't be written, and what `chunks` throws
 */
export async function writeWholeFile(path: string, chunks: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  const partial = `${path}.partial`;
  try {
    await pipeline(Readable.from(chunks), createWriteStream(partial), { signal });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw isFileError(error) ? new CommandFailure(`${path}: ${error.message}`) : error;
  }
}

function isFileError(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error && "path" in error;
}
