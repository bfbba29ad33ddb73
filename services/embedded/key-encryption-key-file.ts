import { randomBytes, randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const KEY_BYTES = 32;

/**
 * The key that wraps the embedded process's signing keys, made at the first start and kept in `dataDir`, readable by
 * this user only.
 *
 * @returns base64url of 32 bytes, or whatever the file holds
 */
export function keptKeyEncryptionKey(dataDir: string): string {
  const path = join(dataDir, "key-encryption.key");
  const kept = readKey(path);
  if (kept !== undefined) return kept;
  mkdirSync(dataDir, { recursive: true });
  const fresh = `${path}.${randomUUID()}`;
  writeFileSync(fresh, `${randomBytes(KEY_BYTES).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  // Whole or not at all, and never in the place of one that another process has made meanwhile.
  ignoring("EEXIST", () => linkSync(fresh, path));
  rmSync(fresh);
  return readKey(path) ?? "";
}

function readKey(path: string): string | undefined {
  return ignoring("ENOENT", () => readFileSync(path, "utf8").trim());
}

function ignoring<Result>(code: string, action: () => Result): Result | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === code) return undefined;
    throw error;
  }
}
