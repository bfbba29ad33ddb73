import { describe, expect, it } from "vitest";
import { ConfigError } from "../config/config-error.ts";
import { captureLog } from "../testing/log-capture.ts";
import { awaitMigrations, storeTasks } from "./store-tasks.ts";

/** @param problem an error with which the migrations fail */
function given(problem?: Error) {
  const done: string[] = [];
  const tasks = storeTasks({
    service: "any",
    variables: { LOG_LEVEL: "silent", DATA_DIR: "folder" },
    open: async (env) => {
      done.push(`open ${env.string("DATA_DIR", "")}`);
      return { close: async () => void done.push("close") };
    },
    migrate: async () => {
      done.push("migrate");
      if (problem !== undefined) throw problem;
      return ["001_sale"];
    },
    missing: async () => {
      done.push("look");
      return [];
    },
  });
  const run = (argument: string) => tasks.find((task) => task.argument === argument)?.run([]);
  return { done, run };
}

it("opens the database for each task, and closes it", async () => {
  const { done, run } = given();
  expect(done).toEqual([]);
  await run("--migrate");
  expect(done.splice(0)).toEqual(["open folder", "migrate", "close"]);
  await run("--await-migrations");
  expect(done).toEqual(["open folder", "look", "close"]);
});

it("closes the database after a failure, too", async () => {
  const { done, run } = given(new Error("no room"));
  await expect(run("--migrate")).rejects.toMatchObject({ cause: { message: "no room" } });
  expect(done).toEqual(["open folder", "migrate", "close"]);
});

/** The results of the checks, one after another. */
function looks(...found: readonly (readonly string[] | Error)[]) {
  const left = [...found];
  return async () => {
    const next = left.shift() ?? [];
    if (next instanceof Error) throw next;
    return next;
  };
}

describe("awaitMigrations", () => {
  const { logger } = captureLog();

  it("ends when nothing is missing, after a database that was away and migrations that were", async () => {
    const missing = looks(new Error("refused"), ["1_tables", "2_more"], ["2_more"], []);
    await expect(awaitMigrations(missing, { logger, intervalMs: 1, maxChecks: 4 })).resolves.toBeUndefined();
  });

  it("waits for no setting", async () => {
    const fault = new ConfigError("MYSQL_URL", "expected another user");
    const missing = looks(new Error("refused"), fault);
    await expect(awaitMigrations(missing, { logger, intervalMs: 1, maxChecks: 4 })).rejects.toBe(fault);
  });

  it("gives up, and says what the last check found", async () => {
    const given = awaitMigrations(async () => ["2_more"], { logger, intervalMs: 1, maxChecks: 3 });
    await expect(given).rejects.toMatchObject({
      message: "the schema is still not up to date",
      cause: { message: "1 migrations are missing, the first is 2_more" },
    });
  });
});
