import type { Env } from "../shared/config/env.ts";
import type { Chain } from "./chains/chain.ts";
import { chainsConfig } from "./chains/chains-config.ts";

export interface IndexerConfig {
  /** See `chainsConfig`. */
  readonly chains: readonly Chain[];
  /** `SALES_INTERVAL`, 2 s: how often the list of sales is looked at. In milliseconds. */
  readonly salesIntervalMs: number;
  /** `LEASE_DURATION`, 6 s: after that long without a sign of its reader a sale is another's. In milliseconds. */
  readonly leaseMs: number;
  /** `MAX_READINGS`, 16: sales of one chain that are read at once. */
  readonly maxReadings: number;
  /** `APPLY_MAX_ROWS`, 5,000: rows in one apply; not more than the commitments service takes. */
  readonly maxRows: number;
}

/** @throws ConfigError naming the variable. */
export function indexerConfig(env: Env): IndexerConfig {
  return Object.freeze({
    chains: chainsConfig(env),
    salesIntervalMs: env.duration("SALES_INTERVAL", { default: "2s", min: "50ms", max: "10m" }),
    leaseMs: env.duration("LEASE_DURATION", { default: "6s", min: "1s", max: "5m" }),
    maxReadings: env.integer("MAX_READINGS", { default: 16, min: 1, max: 1_000 }),
    maxRows: env.integer("APPLY_MAX_ROWS", { default: 5_000, min: 1, max: 20_000 }),
  });
}
