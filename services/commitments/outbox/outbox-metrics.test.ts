import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { migrateStore, openStore } from "../open-store.ts";
import { exportBacklog } from "./outbox-metrics.ts";

it("exports the backlog and its age as they are at the scrape", async () => {
  const database = await openStore({ sqliteFile: ":memory:" });
  await migrateStore(database);
  const registry = new Registry();
  exportBacklog(database, registry);
  const exported = async () => {
    const lines = (await registry.metrics()).split("\n").filter((line) => line.startsWith("tidemark_"));
    return new Map(lines.map((line) => [line.split(" ")[0], Number(line.split(" ")[1])] as const));
  };
  expect([...(await exported()).values()]).toEqual([0, 0]);
  const created_at_ms = (await database.nowMillis()) - 3_600_000n;
  const published = { published_at_ms: null, event: null, trace_parent: null };
  const row = { sale: Buffer.alloc(16), revision: 1n, generation: Buffer.alloc(8), created_at_ms, ...published };
  await database.query.insertInto("outbox").values(row).execute();
  const first = await exported();
  expect(first.get("tidemark_outbox_backlog")).toBe(1);
  expect(first.get("tidemark_outbox_lag_seconds")).toBeGreaterThanOrEqual(3_600);
  await database.close();
  expect([...(await exported()).values()]).toEqual([Number.NaN, Number.NaN]);
});
