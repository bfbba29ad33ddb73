import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of one test's own. */
export interface TemporaryFolder {
  readonly path: string;
  /** Removes the folder and all that is in it; doing so twice is harmless. */
  remove(): Promise<void>;
}

/** Creates an empty folder below the system's temporary folder (`TMPDIR`), readable by this user only. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), "tidemark-"));
  return { path, remove: () => removeFolder(path, 3) };
}

/** Something may still be written while it is being removed; Deno doesn't know `maxRetries`. */
async function removeFolder(path: string, retries: number): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (retries === 0) throw error;
    await removeFolder(path, retries - 1);
  }
}
