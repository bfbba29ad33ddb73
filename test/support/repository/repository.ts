import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root folder, where services are started. */
export const REPOSITORY_ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The text of a file of the repository. */
export function readRepository(path: string): string {
  return readFileSync(join(REPOSITORY_ROOT, path), "utf8");
}
