import { isInstalled, programOf } from "../support/processes/program.ts";
import { applyBench } from "./apply.ts";
import { bidToPageBench } from "./bid-to-page.ts";
import { eligibilityBench } from "./eligibility.ts";
import { exportBench } from "./export.ts";
import { familiesBench } from "./families.ts";
import { galeraBench } from "./galera.ts";
import { gatewaysBench } from "./gateways.ts";
import { growthBench } from "./growth/growth.ts";
import { idleBench } from "./idle/idle.ts";
import { indexerBench } from "./indexer.ts";
import { latencyBench } from "./latency/latency.ts";
import { oauthBench } from "./oauth/oauth.ts";
import { oauthScaleBench } from "./oauth/oauth-scale.ts";
import { permitsBench } from "./permits/permits.ts";
import { positionBench } from "./position.ts";
import { publicReadBench } from "./public-read.ts";
import { relayBench } from "./relay/relay.ts";
import { salePageBench } from "./sale-page.ts";
import { scaleBench } from "./scale.ts";
import { settleBench } from "./settle.ts";
import { startBench } from "./start.ts";
import { streamsBench } from "./streams.ts";
import type { BenchTable } from "./support/bench-table.ts";

/** A benchmark, and the Debian packages that must be installed for it. */
export interface Benchmark {
  readonly run: () => Promise<BenchTable>;
  readonly packages: readonly string[];
}

/** All benchmarks by name, in the order in which they run. */
export const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  "public-read": { run: publicReadBench, packages: ["wrk"] },
  apply: { run: applyBench, packages: ["mariadb-server"] },
  scale: { run: scaleBench, packages: ["mariadb-server"] },
  position: { run: positionBench, packages: ["mariadb-server"] },
  export: { run: exportBench, packages: ["mariadb-server"] },
  families: { run: familiesBench, packages: ["mariadb-server"] },
  indexer: { run: indexerBench, packages: ["mariadb-server"] },
  streams: { run: streamsBench, packages: [] },
  "sale-page": { run: salePageBench, packages: ["chromium"] },
  "bid-to-page": { run: bidToPageBench, packages: ["chromium"] },
  latency: { run: latencyBench, packages: ["mariadb-server", "nats-server"] },
  relay: { run: relayBench, packages: ["mariadb-server", "nats-server"] },
  gateways: { run: gatewaysBench, packages: ["mariadb-server", "nats-server"] },
  growth: { run: growthBench, packages: ["mariadb-server", "nats-server"] },
  idle: { run: idleBench, packages: ["mariadb-server", "nats-server"] },
  galera: { run: galeraBench, packages: ["mariadb-server", "galera-4", "rsync"] },
  eligibility: { run: eligibilityBench, packages: ["mariadb-server"] },
  oauth: { run: oauthBench, packages: ["mariadb-server", "wrk"] },
  permits: { run: permitsBench, packages: ["mariadb-server", "wrk"] },
  "oauth-scale": { run: oauthScaleBench, packages: ["mariadb-server"] },
  settle: { run: settleBench, packages: [] },
  start: { run: startBench, packages: [] },
};

/**
 * Returns the named benchmarks, or all if no name is given.
 *
 * @throws Error that names an unknown benchmark, or every missing program with its Debian package
 */
export function selectBenchmarks(names: readonly string[], isThere = isInstalled): [string, Benchmark][] {
  const unknown = names.find((name) => BENCHMARKS[name] === undefined);
  if (unknown !== undefined)
    throw new Error(`there is no benchmark ${unknown}; there are ${Object.keys(BENCHMARKS).join(", ")}`);
  const selected = Object.entries(BENCHMARKS).filter(([name]) => names.length === 0 || names.includes(name));
  const packages = new Set(selected.flatMap(([, { packages }]) => packages));
  const missing = [...packages].filter((name) => !isThere(name));
  if (missing.length === 0) return selected;
  throw new Error(`not installed: ${missing.map(programOf).join(", ")} (Debian's packages: ${missing.join(" ")})`);
}
