import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CommandFailure } from "../base/cli-error.ts";

/**
 * Writes a file that is either complete or absent. It is written as `<path>.partial` and renamed at the end, which replaces
 * an older file.
 *
 * @throws CommandFailure if the file can't be written; errors of `chunks`.
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
