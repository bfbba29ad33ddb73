import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/**
 * Creates a file, with its folder, that only this user may read. An existing file gets the same mode, an existing folder
 * keeps its own. SQLite gives its `-wal` and `-shm` files the mode of the database file.
 */
export function makePrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
  closeSync(openSync(path, "a", OWNER_ONLY_FILE));
  chmodSync(path, OWNER_ONLY_FILE);
}
