import { Registry } from "prom-client";
import { expect, it } from "vitest";
import type { NodeHead } from "../../../common/chains/base/node-head.ts";
import { exposeFinality, exposeNodeHeads, exposeSecondQuestions } from "./indexer-metrics.ts";

const secondQuestions = { bloom: 2, range: 0, overlap: 7 };

it("count second questions about logs, from 0 on", async () => {
  const registry = new Registry();
  exposeSecondQuestions(registry, () => [{ chain: "earth", heads: [], isFinalContradicted: false, secondQuestions }]);
  await registry.metrics();
  const shown = (await registry.metrics()).split("\n").filter((line) => line.startsWith("tidemark"));
  expect(shown).toEqual([
    'tidemark_indexer_second_log_questions_total{chain="earth",reason="bloom"} 2',
    'tidemark_indexer_second_log_questions_total{chain="earth",reason="range"} 0',
    'tidemark_indexer_second_log_questions_total{chain="earth",reason="overlap"} 7',
  ]);
});

it("have the lag of the nodes at each scrape", async () => {
  const registry = new Registry();
  let heads: readonly NodeHead[] = [
    { host: "a.test", behindBy: 90n, problem: "behind", refusedMethods: ["eth_getLogs"] },
  ];
  exposeNodeHeads(registry, () => [{ chain: "earth", heads, isFinalContradicted: false, secondQuestions }]);
  const shown = async () => (await registry.metrics()).split("\n").filter((line) => line.startsWith("tidemark"));
  expect(await shown()).toEqual([
    'tidemark_indexer_node_lag{chain="earth",host="a.test"} 90',
    'tidemark_indexer_unhealthy_nodes{chain="earth"} 1',
    'tidemark_indexer_refused_methods{chain="earth",host="a.test",method="eth_getLogs"} 1',
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

it("say for each chain whether its nodes contradict what was final", async () => {
  const registry = new Registry();
  const chains = [
    { chain: "earth", heads: [], isFinalContradicted: true, secondQuestions },
    { chain: "mars", heads: [], isFinalContradicted: false, secondQuestions },
  ];
  exposeFinality(registry, () => chains);
  const shown = (await registry.metrics()).split("\n").filter((line) => line.startsWith("tidemark"));
  expect(shown).toEqual([
    'tidemark_indexer_final_contradicted{chain="earth"} 1',
    'tidemark_indexer_final_contradicted{chain="mars"} 0',
  ]);
});
