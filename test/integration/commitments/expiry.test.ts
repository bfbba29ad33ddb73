import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { RESOLUTIONS_S } from "../../../services/commitments/base/domain/history-windows.ts";
import { deleteExpired, type Retention } from "../../../services/commitments/base/expiry.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";
import { openCommitmentsDatabase } from "../../support/databases/commitments-database.ts";
import { describeEachDatabase } from "../../support/databases/databases.ts";

const HOUR = 3_600_000n;
const MINUTE = 60_000n;
const retention: Retention = {
  requestsMillis: 24n * HOUR,
  outboxMillis: 72n * HOUR,
  webhooksMillis: 720n * HOUR,
  historyMillis: [HOUR, 168n * HOUR, 1_000n * HOUR],
};
const SALE = bytesOfHex("11".repeat(16));

describeEachDatabase("expired rows", (variant) => {
  let database: CommitmentsDatabase;
  let remove: () => Promise<void>;
  let now: bigint;
  beforeAll(async () => {
    const created = await variant.create();
    remove = created.remove;
    database = await openCommitmentsDatabase(created);
  });
  beforeEach(async () => {
    for (const table of ["apply_request", "outbox", "history"] as const)
      await database.query.deleteFrom(table).execute();
    now = await database.nowMillis();
  });
  afterAll(async () => {
    await database.close();
    await remove();
  });

  const expire = (signal = new AbortController().signal) => deleteExpired(database, retention, signal);

  it("go, each kind after its own time; younger ones stay", async () => {
    await insertRequests([now - 24n * HOUR - MINUTE, now - 24n * HOUR + MINUTE, now]);
    await insertOutbox([now - 72n * HOUR - MINUTE, now - 72n * HOUR + MINUTE, now]);
    for (const [index, resolution] of RESOLUTIONS_S.entries()) {
      const kept = retention.historyMillis[index] ?? 0n;
      await insertHistory(resolution, [now - kept - MINUTE, now - kept + MINUTE]);
    }
    await expire();
    expect(await ages("apply_request")).toEqual([now - 24n * HOUR + MINUTE, now]);
    expect(await ages("outbox")).toEqual([now - 72n * HOUR + MINUTE, now]);
    const history = await database.query.selectFrom("history").select(["resolution_s", "bucket_s"]).execute();
    expect(new Map(history.map((row) => [BigInt(row.resolution_s), BigInt(row.bucket_s)]))).toEqual(
      new Map(
        RESOLUTIONS_S.map((resolution, index) => [
          resolution,
          (now - (retention.historyMillis[index] ?? 0n) + MINUTE) / 1_000n,
        ]),
      ),
    );
    expect(history).toHaveLength(3);
  });

  it("go in batches of 500, the oldest first", async () => {
    const old = Array.from({ length: 1_200 }, (_, index) => now - 25n * HOUR - BigInt(index));
    await insertRequests([...old, now]);
    const stopping = new AbortController();
    const writes = vi.spyOn(database, "write");
    writes.mockImplementationOnce(async (work) => {
      const result = await database.query.transaction().execute(work);
      stopping.abort();
      return result;
    });
    await expire(stopping.signal);
    expect(await ages("apply_request")).toEqual([...old.slice(0, 700).toSorted(ascending), now]);

    writes.mockClear();
    await expire();
    expect(await ages("apply_request")).toEqual([now]);
    // Two batches of requests, and one, empty, of each other kind.
    expect(writes).toHaveBeenCalledTimes(2 + 3 + RESOLUTIONS_S.length);
    writes.mockRestore();
  });

  it("go all at once where they are of the same moment", async () => {
    await insertRequests(Array.from({ length: 1_200 }, () => now - 25n * HOUR));
    await expire();
    expect(await ages("apply_request")).toEqual([]);
  });

  it("stay where the service is stopping", async () => {
    await insertRequests([0n]);
    await expire(AbortSignal.abort());
    expect(await ages("apply_request")).toEqual([0n]);
  });

  async function insertRequests(createdAt: readonly bigint[]): Promise<void> {
    const rows = createdAt.map((created_at_ms, index) => ({
      sale: SALE,
      request_id: bytesOfHex(index.toString(16).padStart(32, "0")),
      payload_hash: bytesOfHex("00".repeat(32)),
      revision: 1n,
      created_at_ms,
    }));
    await database.query.insertInto("apply_request").values(rows).execute();
  }

  async function insertOutbox(createdAt: readonly bigint[]): Promise<void> {
    const rows = createdAt.map((created_at_ms, index) => ({
      sale: SALE,
      revision: BigInt(index),
      generation: bytesOfHex("00".repeat(8)),
      created_at_ms,
      published_at_ms: null,
    }));
    await database.query.insertInto("outbox").values(rows).execute();
  }

  async function insertHistory(resolution_s: bigint, endedAt: readonly bigint[]): Promise<void> {
    const figures = { total: "0", commitments: 0n, clearing_tick: null };
    const rows = endedAt.map((ended) => ({ sale: SALE, resolution_s, bucket_s: ended / 1_000n, ...figures }));
    await database.query.insertInto("history").values(rows).execute();
  }

  async function ages(table: "apply_request" | "outbox"): Promise<bigint[]> {
    const rows = await database.query.selectFrom(table).select("created_at_ms").orderBy("created_at_ms").execute();
    return rows.map((row) => BigInt(row.created_at_ms));
  }
});

function ascending(left: bigint, right: bigint): number {
  return left < right ? -1 : 1;
}
