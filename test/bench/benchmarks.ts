import { findProgram } from "../support/program.ts";
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
import type { BenchTable } from "./support/bench-table.ts";

/** A benchmark, and the programs that must be installed for it. */
export interface Benchmark {
  readonly run: () => Promise<BenchTable>;
  readonly programs: readonly string[];
}

/** All benchmarks by name, in the order in which they run. */
export const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  "public-read": { run: publicReadBench, programs: ["wrk"] },
  apply: { run: applyBench, programs: ["mariadbd"] },
  scale: { run: scaleBench, programs: ["mariadbd"] },
  export: { run: exportBench, programs: ["mariadbd"] },
  indexer: { run: indexerBench, programs: ["mariadbd"] },
  streams: { run: streamsBench, programs: ["wrk"] },
  "sale-page": { run: salePageBench, programs: ["chromium"] },
  latency: { run: latencyBench, programs: ["mariadbd", "nats-server"] },
  oauth: { run: oauthBench, programs: ["mariadbd", "wrk"] },
  "oauth-scale": { run: oauthScaleBench, programs: ["mariadbd"] },
};

/** The Debian package of a program, if it has another name. */
const PACKAGES: Readonly<Record<string, string>> = { mariadbd: "mariadb-server" };

/**
 * Returns the named benchmarks, or all if no name is given.
 *
 * @throws Error that names an unknown benchmark, or every missing program with its Debian package
 */
export function selectBenchmarks(names: readonly string[], find = findProgram): [string, Benchmark][] {
  const unknown = names.find((name) => BENCHMARKS[name] === undefined);
  if (unknown !== undefined)
    throw new Error(`there is no benchmark ${unknown}; there are ${Object.keys(BENCHMARKS).join(", ")}`);
  const selected = Object.entries(BENCHMARKS).filter(([name]) => names.length === 0 || names.includes(name));
  const programs = new Set(selected.flatMap(([, { programs }]) => programs));
  const missing = [...programs].filter((program) => find(program) === undefined);
  if (missing.length === 0) return selected;
  const packages = missing.map((program) => PACKAGES[program] ?? program);
  throw new Error(`not installed: ${missing.join(", ")} (Debian's packages: ${packages.join(" ")})`);
}
