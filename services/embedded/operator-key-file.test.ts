import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../test/support/processes/temporary-folder.ts";
import { writeOperatorKey } from "./operator-key-file.ts";

const KEY = new Uint8Array(32).fill(7);
const TEXT = `${Buffer.from(KEY).toString("base64url")}\n`;

describe("writeOperatorKey", () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    const { path, remove } = await temporaryFolder();
    onTestFinished(remove);
    folder = join(path, "data");
    file = join(folder, "operator.key");
  });

  it("makes the folder and a file that only its user can read, and removes it", async () => {
    const remove = await writeOperatorKey(folder, KEY);
    expect(await readFile(file, "utf8")).toBe(TEXT);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await remove();
    expect(await readdir(folder)).toEqual([]);
  });

  it("replaces an existing file, and follows no link", async () => {
    const elsewhere = join(dirname(folder), "elsewhere");
    await writeFile(elsewhere, "untouched", { mode: 0o644 });
    await mkdir(folder);
    await symlink(elsewhere, file);
    await writeOperatorKey(folder, KEY);
    expect([await readFile(elsewhere, "utf8"), await readFile(file, "utf8")]).toEqual(["untouched", TEXT]);
    expect((await lstat(file)).mode & 0o777).toBe(0o600);
  });

  it("doesn't remove the key of a later process", async () => {
    const remove = await writeOperatorKey(folder, KEY);
    await writeFile(file, "another");
    await remove();
    expect(await readFile(file, "utf8")).toBe("another");
  });
});
