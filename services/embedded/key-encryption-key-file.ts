import { randomBytes, randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const KEY_BYTES = 32;

/**
 * Reads the key that encrypts the embedded process's signing keys. The first start creates it in `dataDir`, readable by
 * this user only.
 *
 * @returns 32 bytes in base64url, or whatever the file contains
 */
export function readOrCreateKeyEncryptionKey(dataDir: string): string {
  const path = keyFile(dataDir);
  const stored = readKey(path);
  if (stored !== undefined) return stored;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const fresh = `${path}.${randomUUID()}`;
  writeFileSync(fresh, `${randomBytes(KEY_BYTES).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  // A link appears with its whole content, and never replaces a key that another process has created meanwhile.
  ignoring("EEXIST", () => linkSync(fresh, path));
  rmSync(fresh);
  return readKey(path) ?? "";
}

/** Reads the key, and creates none. @returns undefined if there is no file yet; else as `readOrCreateKeyEncryptionKey` */
export function readKeyEncryptionKey(dataDir: string): string | undefined {
  return readKey(keyFile(dataDir));
}

function keyFile(dataDir: string): string {
  return join(dataDir, "key-encryption.key");
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
