import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { operatorKeyPath } from "../shared/rpc/identity/operator-key-path.ts";

/**
 * Leaves the operator's key in `dataDir`, readable by this user only, so that the operator's command works without
 * set-up. It takes the place of one that an earlier process left.
 *
 * @returns what removes it, unless another process's key has taken its place
 */
export async function writeOperatorKey(dataDir: string, key: Uint8Array): Promise<() => Promise<void>> {
  const path = operatorKeyPath(dataDir);
  const text = Buffer.from(key).toString("base64url");
  await mkdir(dirname(path), { recursive: true });
  // A new file, as the mode of one that is there would stay, and a link that is there would be followed.
  const fresh = `${path}.${randomUUID()}`;
  await writeFile(fresh, `${text}\n`, { mode: 0o600, flag: "wx" });
  await rename(fresh, path);
  return async () => {
    const current = await readFile(path, "utf8").catch(() => "");
    if (current === `${text}\n`) await rm(path, { force: true });
  };
}
