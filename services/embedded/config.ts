import { type GatewayConfig, gatewayConfig } from "../../gateway/config.ts";
import { type CommitmentsConfig, commitmentsConfig } from "../commitments/config.ts";
import type { Env } from "../shared/config/env.ts";
import { type CallerKeys, readCallerKeys } from "../shared/rpc/callers.ts";

export interface EmbeddedConfig {
  readonly gateway: GatewayConfig;
  readonly commitments: CommitmentsConfig;
  /** `ADMIN_PORT`, 9090. */
  readonly adminPort: number;
  /** `COMMITMENTS_PORT`, 8081: where the commitments service answers RPCs. */
  readonly commitmentsPort: number;
  /** `CALLER_KEYS`: who else may call it; nobody by default. */
  readonly callerKeys: CallerKeys;
  /** `DEMO`, on: two sales with a crowd that bids. */
  readonly demo: boolean;
  /** `DEMO_BID_INTERVAL`, 1.5 s: between two bids of a demo sale. In milliseconds. */
  readonly bidIntervalMs: number;
}

/** @throws ConfigError naming the variable. */
export function embeddedConfig(env: Env): EmbeddedConfig {
  return Object.freeze({
    gateway: gatewayConfig(env),
    commitments: commitmentsConfig(env),
    adminPort: env.port("ADMIN_PORT", 9090),
    commitmentsPort: env.port("COMMITMENTS_PORT", 8081),
    callerKeys: readCallerKeys(env) ?? new Map(),
    demo: env.boolean("DEMO", true),
    bidIntervalMs: env.duration("DEMO_BID_INTERVAL", { default: "1500ms", min: "10ms", max: "1h" }),
  });
}

/** The configured keys and those that the process has made for its own parts. */
export function withOwnKeys(configured: CallerKeys, own: Readonly<Record<string, Uint8Array>>): CallerKeys {
  const keys = new Map(configured);
  for (const [name, key] of Object.entries(own)) keys.set(name, [...(keys.get(name) ?? []), key]);
  return keys;
}
