import { createHash } from "node:crypto";
import { copyFile, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ChecksOf } from "../../../common/platform/checks/check-task.ts";
import { runProbes } from "../../../common/platform/checks/run-probes.ts";
import { Env } from "../../../common/platform/config/env.ts";
import { openSqlite } from "../../../common/platform/db/sqlite/open-sqlite.ts";
import * as authStore from "../../../services/auth/base/open-store.ts";
import { authChecks, authMigrationChecks } from "../../../services/auth/checks.ts";
import { commitmentsChecks, commitmentsMigrationChecks } from "../../../services/commitments/checks.ts";
import * as commitmentsStore from "../../../services/commitments/open-store.ts";
import * as entitiesStore from "../../../services/entities/base/open-store.ts";
import { entitiesChecks, entitiesMigrationChecks } from "../../../services/entities/checks.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";

interface Service {
  readonly name: string;
  readonly checks: readonly ChecksOf[];
  /** Makes the file with all its tables, leaves a change in its log, and returns what ends the process. */
  readonly start: (sqliteFile: string) => Promise<() => Promise<void>>;
}

const SERVICES: readonly Service[] = [
  {
    name: "auth",
    checks: [authChecks, authMigrationChecks],
    start: async (sqliteFile) => {
      const database = await authStore.openStore({ sqliteFile });
      await authStore.migrateStore(database);
      return () => database.close();
    },
  },
  {
    name: "commitments",
    checks: [commitmentsChecks, commitmentsMigrationChecks],
    start: async (sqliteFile) => {
      const database = await commitmentsStore.openStore({ sqliteFile });
      await commitmentsStore.migrateStore(database);
      return () => database.close();
    },
  },
  {
    name: "entities",
    checks: [entitiesChecks, entitiesMigrationChecks],
    start: async (sqliteFile) => {
      const database = await entitiesStore.openStore({ sqliteFile });
      await entitiesStore.migrateStore(database);
      return () => database.close();
    },
  },
];

const settings = {
  AUTH_URL: "https://auth.example",
  KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64url"),
  SMTP_URL: "smtp://127.0.0.1:1",
  MAIL_FROM: "sale@example.com",
};

/** The files of a folder: names, modes, times of change and contents. The index of a log belongs to those who have the file open. */
async function filesOf(folder: string) {
  const names = (await readdir(folder)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const { mode, mtimeMs } = await stat(path);
      if (name.endsWith("-shm")) return { name, mode };
      return {
        name,
        mode,
        mtimeMs,
        content: createHash("sha256")
          .update(await readFile(path))
          .digest("hex"),
      };
    }),
  );
}

describe.each(SERVICES)("the check of $name", ({ name, checks, start }) => {
  async function withFolder() {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const file = join(folder.path, `${name}.sqlite`);
    /** Runs both checks. @returns what they find of the database, having changed no file */
    const check = async () => {
      const before = await filesOf(folder.path);
      const found = await Promise.all(
        checks.map((checksOf) => runProbes(checksOf(new Env({ ...settings, DATA_DIR: folder.path })))),
      );
      expect(await filesOf(folder.path)).toEqual(before);
      const ofDatabase = found.map((findings) => findings.filter(({ subject }) => /^(database|stored)/.test(subject)));
      return ofDatabase.map((findings) => findings.map(({ level, subject, text }) => `${level} ${subject}: ${text}`));
    };
    return { folder: folder.path, file, check };
  }

  const WHOLE = expect.arrayContaining([
    "ok database: the file can be read and written",
    "ok database schema: has all migrations of this version",
  ]);

  it("says that a file is missing, and makes none", async () => {
    const { file, check } = await withFolder();
    const missing = [`ok database: the start makes the file ${file}`];
    expect(await check()).toEqual([missing, missing]);
  });

  it("reads a file that nobody has open, and leaves none beside it", async () => {
    const { file, check } = await withFolder();
    await (await start(file))();
    expect(await check()).toEqual([WHOLE, WHOLE]);
  });

  it("reads what a process that runs has only in its log", async () => {
    const { file, check } = await withFolder();
    const stop = await start(file);
    expect((await stat(`${file}-wal`)).size).toBeGreaterThan(0);
    expect(await check()).toEqual([WHOLE, WHOLE]);
    await stop();
  });

  it("leaves a log that only a start can take in as it is", async () => {
    const { folder, file, check } = await withFolder();
    const elsewhere = await withFolder();
    const stop = await start(elsewhere.file);
    await copyFile(elsewhere.file, file);
    await copyFile(`${elsewhere.file}-wal`, `${file}-wal`);
    await stop();
    const waits = ["ok database: the file is there; the start takes in its log, and only then it can be read"];
    expect(await check()).toEqual([waits, waits]);
    expect(await readdir(folder)).toHaveLength(2);
  });

  it("runs no migration, and names those that are missing", async () => {
    const { file, check } = await withFolder();
    await openSqlite(file).close();
    const [served] = await check();
    expect(served).toContainEqual(expect.stringMatching(/^ok database schema: \d+ migrations are missing/));
  });

  it("names a file that is no database", async () => {
    const { file, check } = await withFolder();
    await writeFile(file, "this is no database, but a text that is longer than the header of one".repeat(20));
    expect((await check())[0]).toEqual(["failed database: file is not a database"]);
  });
});
