import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { HeadLag } from "./indexer-metrics.ts";

it("has the sale that is farthest behind for each chain, and only sales that are read", async () => {
  let now = 0;
  const registry = new Registry();
  const lag = new HeadLag(registry, () => now);
  lag.upToDate("a", "earth");
  lag.upToDate("b", "earth");
  lag.upToDate("c", "moon");
  now = 4_000;
  lag.upToDate("a", "earth");
  now = 6_500;
  const shown = async () => (await registry.metrics()).split("\n").filter((line) => line.startsWith("tidemark"));
  expect(await shown()).toEqual([
    'tidemark_indexer_head_lag_seconds{chain="earth"} 6.5',
    'tidemark_indexer_head_lag_seconds{chain="moon"} 6.5',
  ]);
  lag.forget("b");
  lag.forget("c");
  expect(await shown()).toEqual(['tidemark_indexer_head_lag_seconds{chain="earth"} 2.5']);
  lag.setFinal("a", true);
  lag.upToDate("a", "earth");
  expect(await shown()).toEqual([]);
  lag.setFinal("a", false);
  lag.upToDate("a", "earth");
  expect(await shown()).toEqual(['tidemark_indexer_head_lag_seconds{chain="earth"} 0']);
});
