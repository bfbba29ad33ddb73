import { chmod, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { openSqlite } from "./open-sqlite.ts";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "private-file-"));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

/** Opens a database, writes to it, and returns the modes of all files beside it by name. */
async function modesAfterUse(path: string, folderPath: string): Promise<Record<string, string>> {
  const database = openSqlite(path);
  onTestFinished(() => database.close());
  await database.write((transaction) => sql`create table kept (id integer)`.execute(transaction));
  const names = await readdir(folderPath);
  const modes = names.map(async (name) => [name, await modeOf(join(folderPath, name))] as const);
  return Object.fromEntries(await Promise.all(modes));
}

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

it("lets nobody else read a new database, its log, and its folders", async () => {
  const outer = join(await folder(), "data");
  const inner = join(outer, "auth");
  const modes = await modesAfterUse(join(inner, "auth.sqlite"), inner);
  expect(modes).toEqual({ "auth.sqlite": "600", "auth.sqlite-shm": "600", "auth.sqlite-wal": "600" });
  expect([await modeOf(outer), await modeOf(inner)]).toEqual(["700", "700"]);
});

it("takes an existing database away from others, and leaves its folder as it is", async () => {
  const path = await folder();
  await chmod(path, 0o755);
  const file = join(path, "auth.sqlite");
  await openSqlite(file).close();
  await chmod(file, 0o644);
  expect(await modesAfterUse(file, path)).toMatchObject({ "auth.sqlite": "600", "auth.sqlite-wal": "600" });
  expect(await modeOf(path)).toBe("755");
});
