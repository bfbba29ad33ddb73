import { describe, expect, it } from "vitest";
import { captureLog } from "../testing/log-capture.ts";
import { awaitMigrations } from "./await-migrations.ts";

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

  it("gives up, and says what the last check found", async () => {
    const given = awaitMigrations(async () => ["2_more"], { logger, intervalMs: 1, maxChecks: 3 });
    await expect(given).rejects.toMatchObject({
      message: "the schema is still not up to date",
      cause: { message: "1 migrations are missing, the first is 2_more" },
    });
  });
});
