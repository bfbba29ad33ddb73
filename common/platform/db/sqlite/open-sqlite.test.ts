import { execFile } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
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

it.each(["", "-wal", "-shm", "-journal"])("refuses a folder in place of the file%s", async (suffix) => {
  const path = join(await folder(), "auth.sqlite");
  await mkdir(`${path}${suffix}`);
  expect(() => openSqlite(path)).toThrow(
    `DATA_DIR: expected a database that this user owns and can write, ${JSON.stringify(`${path}${suffix}`)} gives EISDIR`,
  );
});

const NOBODY = 65_534;

/** Opens databases as a user without rights, in a process of its own. @returns for each what the error says */
async function openedByNobody(paths: readonly string[]): Promise<readonly string[]> {
  const module = JSON.stringify(new URL("./open-sqlite.ts", import.meta.url).href);
  // The modules are loaded as this user, who can read them.
  const program = `
    import { openSqlite } from ${module};
    process.setgid(${NOBODY});
    process.setuid(${NOBODY});
    const outcome = (path) => { try { openSqlite(path); return "opened"; } catch (error) { return String(error.message); } };
    console.log(JSON.stringify(${JSON.stringify(paths)}.map(outcome)));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  return JSON.parse(stdout);
}

it.skipIf("Deno" in globalThis || process.getuid?.() !== 0)("names files of another user (as root)", async () => {
  const spoilt: readonly [(path: string) => Promise<void>, (path: string) => string][] = [
    [async () => {}, () => "opened"],
    // As a restore by root leaves it.
    [(path) => writeFile(join(path, "auth.sqlite"), ""), (path) => `${join(path, "auth.sqlite")}" gives EACCES`],
    [
      (path) => writeFile(join(path, "auth.sqlite"), "").then(() => chmod(join(path, "auth.sqlite"), 0o666)),
      (path) => `${join(path, "auth.sqlite")}" gives EPERM`,
    ],
    [
      (path) => writeFile(join(path, "auth.sqlite-wal"), "", { mode: 0o600 }),
      (path) => `${join(path, "auth.sqlite-wal")}" gives EACCES`,
    ],
    [(path) => chown(path, 0, 0), (path) => `${path}" gives EACCES`],
  ];
  const expected: string[] = [];
  const paths: string[] = [];
  for (const [spoil, outcome] of spoilt) {
    const path = await folder();
    await chmod(path, 0o755);
    await chown(path, NOBODY, NOBODY);
    await spoil(path);
    paths.push(join(path, "auth.sqlite"));
    expected.push(expect.stringMatching(new RegExp(`^(DATA_DIR: expected a .*)?${outcome(path)}$`)));
  }
  expect(await openedByNobody(paths)).toEqual(expected);
});
