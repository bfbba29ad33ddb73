import type { Chain } from "../../common/chains/base/chain.ts";
import { chainsConfig } from "../../common/chains/chains-config.ts";
import type { Env } from "../../common/platform/config/env.ts";

export interface IndexerConfig {
  /** See `chainsConfig`. */
  readonly chains: readonly Chain[];
  /** `SALES_INTERVAL`, 2 s: how often the indexer asks which sales have changed; all of them are listed every 15th time. In milliseconds. */
  readonly salesIntervalMs: number;
  /** `LEASE_DURATION`, 6 s: how long a reader that died keeps its sale from others. In milliseconds. */
  readonly leaseMs: number;
  /** `MAX_CONCURRENT_READS`, 16: sales of one chain that may be read at once. */
  readonly maxConcurrentReads: number;
  /** `APPLY_MAX_ROWS`, 5,000: most rows in one apply. It must not exceed the limit of the commitments service. */
  readonly maxRows: number;
}

/** @throws ConfigError naming the variable. */
export function indexerConfig(env: Env): IndexerConfig {
  return Object.freeze({
    chains: chainsConfig(env),
    salesIntervalMs: env.duration("SALES_INTERVAL", { default: "2s", min: "50ms", max: "10m" }),
    leaseMs: env.duration("LEASE_DURATION", { default: "6s", min: "1s", max: "5m" }),
    maxConcurrentReads: env.integer("MAX_CONCURRENT_READS", { default: 16, min: 1, max: 1_000 }),
    maxRows: env.integer("APPLY_MAX_ROWS", { default: 5_000, min: 1, max: 20_000 }),
  });
}
