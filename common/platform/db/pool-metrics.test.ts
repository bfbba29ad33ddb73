import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { exportPool } from "./pool-metrics.ts";

it("exports the pools of all services of a process, and none for SQLite", async () => {
  const registry = new Registry();
  exportPool("none", {}, registry);
  expect(await registry.metrics()).not.toContain("pool");
  const pool = { size: 10, busy: 0, waiting: 0 };
  exportPool("commitments", { pool }, registry);
  exportPool("auth", { pool: { size: 5, busy: 1, waiting: 2 } }, registry);
  pool.busy = 3;
  const text = await registry.metrics();
  expect(text.split("\n").filter((line) => line.startsWith("tidemark_"))).toEqual([
    'tidemark_database_pool_size{pool="commitments"} 10',
    'tidemark_database_pool_size{pool="auth"} 5',
    'tidemark_database_pool_busy{pool="commitments"} 3',
    'tidemark_database_pool_busy{pool="auth"} 1',
    'tidemark_database_pool_waiting{pool="commitments"} 0',
    'tidemark_database_pool_waiting{pool="auth"} 2',
  ]);
});
