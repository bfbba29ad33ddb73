import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Database } from "../shared/db/database.ts";
import { sqliteDialect } from "../shared/db/dialect.ts";
import { openSqlite } from "../shared/db/open-sqlite.ts";
import { bytesOfHex } from "../shared/hex.ts";
import { captureLog } from "../shared/testing/log-capture.ts";
import { startExpiryLoop } from "./expiry-loop.ts";
import { migrateStore } from "./open-store.ts";
import type { CommitmentsDatabase, CommitmentsSchema } from "./store/schema.ts";
import { idOf } from "./testing/samples.ts";

const INTERVAL_MS = 60_000;
const retention = { requestsMillis: 86_400_000n, outboxMillis: 1n, historyMillis: [1n, 1n, 1n] } as const;

describe("startExpiryLoop", () => {
  let database: CommitmentsDatabase;
  let reads = 0;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    reads = 0;
    const { query } = openSqlite<CommitmentsSchema>(":memory:");
    // Each run of the loop asks for the database's time once.
    const dialect = {
      ...sqliteDialect,
      get nowMillis() {
        reads += 1;
        return sqliteDialect.nowMillis;
      },
    };
    database = new Database(query, dialect);
    await migrateStore(database);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await database.close();
  });

  function start(log = captureLog()) {
    return startExpiryLoop({ database, retention, intervalMs: INTERVAL_MS, logger: log.logger });
  }

  it("deletes what is expired at an interval, and not before", async () => {
    await insertRequest(database);
    await start()();
    expect(await countRequests(database)).toBe(1);

    const stop = start();
    await eventuallyEmpty();
    await insertRequest(database);
    await eventuallyEmpty();
    await stop();
  });

  it("runs once at a time, however long a run takes", async () => {
    const stop = start();
    await database.query.transaction().execute(async () => {
      // The one connection is taken, so that the first run can't get on.
      vi.advanceTimersByTime(3 * INTERVAL_MS);
      expect(reads).toBe(1);
    });
    await stop();
    expect(reads).toBe(1);
  });

  it("logs a failure and tries again at the next interval", async () => {
    await insertRequest(database);
    await database.query.schema.alterTable("apply_request").renameTo("elsewhere").execute();
    const log = captureLog();
    const stop = start(log);
    vi.advanceTimersByTime(INTERVAL_MS);
    await vi.waitFor(() => expect(log.lines).toMatchObject([{ level: "warn", msg: "expired rows stay for now" }]));
    await database.query.schema.alterTable("elsewhere").renameTo("apply_request").execute();
    await eventuallyEmpty();
    await stop();
  });

  it("stops for good, after what is under way", async () => {
    const stop = start();
    vi.advanceTimersByTime(INTERVAL_MS);
    await stop();
    vi.advanceTimersByTime(10 * INTERVAL_MS);
    expect(reads).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  /** An interval that comes while a run is under way starts none, so it may take some. */
  async function eventuallyEmpty(): Promise<void> {
    await vi.waitFor(async () => {
      vi.advanceTimersByTime(INTERVAL_MS);
      expect(await countRequests(database)).toBe(0);
    });
  }
});

async function insertRequest(database: CommitmentsDatabase): Promise<void> {
  const row = { sale: bytesOfHex("11".repeat(16)), request_id: bytesOfHex("22".repeat(16)), revision: 1n };
  await database.query
    .insertInto("apply_request")
    .values({ ...row, payload_hash: bytesOfHex(idOf(1)), created_at_ms: 0n })
    .execute();
}

async function countRequests(database: CommitmentsDatabase): Promise<number> {
  return (await database.query.selectFrom("apply_request").select("revision").execute()).length;
}
