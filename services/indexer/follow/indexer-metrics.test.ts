import { Registry } from "prom-client";
import { expect, it } from "vitest";
import type { NodeHead } from "../../../common/chains/base/node-head.ts";
import { exposeNodeHeads } from "./indexer-metrics.ts";

it("have the lag of the nodes at each scrape", async () => {
  const registry = new Registry();
  let heads: readonly NodeHead[] = [{ host: "a.test", behindBy: 90n, problem: "behind" }];
  exposeNodeHeads(registry, () => [{ chain: "earth", heads }]);
  const shown = async () => (await registry.metrics()).split("\n").filter((line) => line.startsWith("tidemark"));
  expect(await shown()).toEqual([
    'tidemark_indexer_node_lag{chain="earth",host="a.test"} 90',
    'tidemark_indexer_unhealthy_nodes{chain="earth"} 1',
  ]);
  heads = [
    { host: "a.test", behindBy: 3n },
    { host: "a.test", behindBy: 0n },
    { host: "b.test", behindBy: 0n },
  ];
  expect((await shown()).toSorted()).toEqual([
    'tidemark_indexer_node_lag{chain="earth",host="a.test"} 3',
    'tidemark_indexer_node_lag{chain="earth",host="b.test"} 0',
    'tidemark_indexer_unhealthy_nodes{chain="earth"} 0',
  ]);
});
