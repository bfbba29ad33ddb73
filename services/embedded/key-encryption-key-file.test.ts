import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readOrCreateKeyEncryptionKey } from "./key-encryption-key-file.ts";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "kek-"));
  onTestFinished(() => rm(path, { recursive: true }));
  return join(path, "data");
}

describe("readOrCreateKeyEncryptionKey", () => {
  it("makes a key of 32 bytes and keeps it, for this user only", async () => {
    const dataDir = await folder();
    const key = readOrCreateKeyEncryptionKey(dataDir);
    expect(Buffer.from(key, "base64url")).toHaveLength(32);
    expect(readOrCreateKeyEncryptionKey(dataDir)).toBe(key);
    const file = join(dataDir, "key-encryption.key");
    expect(await readFile(file, "utf8")).toBe(`${key}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(["key-encryption.key"]);
  });

  it("never replaces what is there", async () => {
    const dataDir = await folder();
    readOrCreateKeyEncryptionKey(dataDir);
    await writeFile(join(dataDir, "key-encryption.key"), "mine\n");
    expect(readOrCreateKeyEncryptionKey(dataDir)).toBe("mine");
  });

  it("throws the error of a file that can't be read", async () => {
    const dataDir = await folder();
    expect(() => readOrCreateKeyEncryptionKey(join(dataDir, "\0"))).toThrow();
  });
});
