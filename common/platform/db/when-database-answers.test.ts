import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConfigError } from "../config/config-error.ts";
import { ServiceError } from "../errors/service-error.ts";
import { captureLog } from "../testing/log-capture.ts";
import { migrateWhenAnswered, migrateWithinMinute, whenDatabaseAnswers } from "./when-database-answers.ts";

const away = new ServiceError("unavailable", "the database doesn't answer or is busy; retry");
const noTable = new Error("no such table: signing_key");

/** A start whose step fails with the errors, in order, then succeeds; and how it waits. */
function starting(...errors: readonly Error[]) {
  const stopping = new AbortController();
  const { logger, lines } = captureLog();
  const remaining = [...errors];
  const step = async () => {
    const error = remaining.shift();
    if (error !== undefined) throw error;
    return ["done"];
  };
  return { options: { lifecycle: { stopping: stopping.signal }, logger }, stopping, lines, remaining, step };
}

/** Lets the waits of a step end, as many as there are. */
async function settled<Result>(outcome: Promise<Result>): Promise<Result> {
  outcome.catch(() => {});
  await vi.runAllTimersAsync();
  return outcome;
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

it("waits for a database that is away, and for its tables, and says so", async () => {
  const { options, step, lines } = starting(away, away, noTable);
  expect(await settled(whenDatabaseAnswers("read the keys", step, options))).toEqual(["done"]);
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual(
    Array(3).fill(["warn", "waiting for the database to read the keys"]),
  );
});

it("waits for no setting", async () => {
  const error = new ConfigError("KEY_ENCRYPTION_KEY", "expected another");
  const { options, step } = starting(away, error, away);
  await expect(settled(whenDatabaseAnswers("read the keys", step, options))).rejects.toBe(error);
});

it("migrates once the database answers, and waits for no schema of another version", async () => {
  const { options, step, lines } = starting(away);
  await settled(migrateWhenAnswered(step, options));
  expect(lines.at(-1)).toMatchObject({ msg: "schema is up to date", migrations: ["done"] });
  const refused = starting(away, noTable);
  await expect(settled(migrateWhenAnswered(refused.step, refused.options))).rejects.toBe(noTable);
});

describe("a task that migrates", () => {
  it("waits for a database that its pod can't reach yet, and says why", async () => {
    const { options, step, lines } = starting(away, away);
    expect(await settled(migrateWithinMinute(step, options))).toEqual(["done"]);
    expect(lines).toEqual(Array(2).fill(expect.objectContaining({ msg: "waiting for the database to migrate it" })));
    expect(lines[0]).toMatchObject({ err: { message: away.message } });
  });

  it("gives up after a minute, with the last reason", async () => {
    const started = performance.now();
    const { options, lines } = starting();
    await expect(settled(migrateWithinMinute(() => Promise.reject(away), options))).rejects.toBe(away);
    expect(performance.now() - started).toBe(60_000);
    expect(lines).toHaveLength(60);
  });

  it("doesn't wait for what no waiting mends", async () => {
    const { options, step, lines } = starting(noTable);
    await expect(settled(migrateWithinMinute(step, options))).rejects.toBe(noTable);
    expect(lines).toEqual([]);
  });
});

it("goes on with nothing while the process stops", async () => {
  const { options, step, stopping, remaining } = starting(away, away);
  stopping.abort();
  const outcome = whenDatabaseAnswers("read the keys", step, options).then(() => "an outcome");
  await new Promise(setImmediate);
  expect(await Promise.race([outcome, "none"])).toBe("none");
  expect(remaining).toEqual([away]);
});
