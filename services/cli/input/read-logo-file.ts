import { readFile, stat } from "node:fs/promises";
import { CommandFailure } from "../base/cli-error.ts";

const MAX_FILE_BYTES = 204_800;

/**
 * Reads a logo from a file of at most 200 KB.
 *
 * @throws CommandFailure naming the file.
 */
export async function readLogoFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) throw new RangeError(`is larger than ${MAX_FILE_BYTES} bytes`);
    return new Uint8Array(await readFile(path));
  } catch (error) {
    throw new CommandFailure(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
