import { applyBench } from "./apply.ts";
import { exportBench } from "./export.ts";
import { indexerBench } from "./indexer.ts";
import { latencyBench } from "./latency/latency.ts";
import { oauthBench } from "./oauth/oauth.ts";
import { oauthScaleBench } from "./oauth/oauth-scale.ts";
import { publicReadBench } from "./public-read.ts";
import { salePageBench } from "./sale-page.ts";
import { scaleBench } from "./scale.ts";
import { streamsBench } from "./streams.ts";
import { type BenchTable, formatTable } from "./support/bench-table.ts";

const BENCHES: Readonly<Record<string, () => Promise<BenchTable>>> = {
  "public-read": publicReadBench,
  apply: applyBench,
  scale: scaleBench,
  export: exportBench,
  indexer: indexerBench,
  streams: streamsBench,
  "sale-page": salePageBench,
  latency: latencyBench,
  oauth: oauthBench,
  "oauth-scale": oauthScaleBench,
};

/** `npm run bench [name …]`: all benchmarks, or those named; exit code 1 where a demand is missed. */
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BENCHES);
for (const name of names) {
  const bench = BENCHES[name];
  if (bench === undefined)
    throw new Error(`there is no benchmark ${name}; there are ${Object.keys(BENCHES).join(", ")}`);
  const begin = performance.now();
  const table = await bench();
  console.log(formatTable(table));
  console.log(`${name}: ${((performance.now() - begin) / 1_000).toFixed(1)} s\n`);
  if (table.misses.length > 0) process.exitCode = 1;
}
