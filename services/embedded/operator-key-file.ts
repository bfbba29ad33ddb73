import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { operatorKeyPath } from "../../common/platform/rpc/identity/operator-key-path.ts";

/**
 * Writes the operator's key into `dataDir`, readable by this user only, so that the CLI works without set-up. It
 * replaces the key of an earlier process.
 *
 * @returns a function that removes it, unless another process has replaced it
 */
export async function writeOperatorKey(dataDir: string, key: Uint8Array): Promise<() => Promise<void>> {
  const path = operatorKeyPath(dataDir);
  const text = Buffer.from(key).toString("base64url");
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // A new file: an existing one would keep its mode, and an existing link would be followed.
  const fresh = `${path}.${randomUUID()}`;
  await writeFile(fresh, `${text}\n`, { mode: 0o600, flag: "wx" });
  await rename(fresh, path);
  return async () => {
    const current = await readFile(path, "utf8").catch(() => "");
    if (current === `${text}\n`) await rm(path, { force: true });
  };
}
