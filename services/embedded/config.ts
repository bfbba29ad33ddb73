import type { Chain } from "../../common/chains/base/chain.ts";
import { ConfigError, type Env } from "../../common/platform/config/env.ts";
import { type CallerKeys, readCallerKeys } from "../../common/platform/rpc/identity/caller-keys.ts";
import { type GatewayConfig, gatewayConfig } from "../../gateway/config.ts";
import { type CommitmentsConfig, commitmentsConfig } from "../commitments/config.ts";
import { type IndexerConfig, indexerConfig } from "../indexer/config.ts";

export interface EmbeddedConfig {
  readonly gateway: GatewayConfig;
  readonly commitments: CommitmentsConfig;
  readonly indexer: IndexerConfig;
  /** `DATA_DIR`, `data` by default: the folder of the process's files. */
  readonly dataDir: string;
  /** `ADMIN_PORT`, 9090 by default. */
  readonly adminPort: number;
  /** `COMMITMENTS_PORT`, 8081 by default: the RPC port of the commitments service. */
  readonly commitmentsPort: number;
  /** `INDEXER_PORT`, 8082 by default: the RPC port of the indexer. */
  readonly indexerPort: number;
  /** `AUTH_PORT`, 8083 by default: the RPC port of the auth service. */
  readonly authPort: number;
  /** `ENTITIES_PORT`, 8084 by default: the RPC port of the entities service. */
  readonly entitiesPort: number;
  /** `CALLER_KEYS`: callers outside of this process. None by default. */
  readonly callerKeys: CallerKeys;
  /** `DEMO`, on by default: two sales with simulated bidders. */
  readonly demo: boolean;
  /** `DEMO_CHAIN`, on by default: the auction is a contract on a local chain, if that can run. */
  readonly demoChain: boolean;
  /** `DEMO_CHAIN_PORT`, 0 by default: the chain's JSON-RPC port at 127.0.0.1. 0 means any free port. */
  readonly demoChainPort: number;
  /** `DEMO_APP_PORT`, 3000 by default: the port of the demo's application on this machine. 0 means any free port. */
  readonly demoAppPort: number;
  /** `MAIL_PAGE`, off by default: a page of the latest mails, for browsers of this machine. */
  readonly mailPage: boolean;
  /** `MAIL_PAGE_PORT`, 8025 by default: its port. 0 means any free port. */
  readonly mailPagePort: number;
  /** `DEMO_BID_INTERVAL`, 1.5 s by default: the time between two bids of a demo sale, in milliseconds. */
  readonly bidIntervalMs: number;
}

/** @throws ConfigError naming the variable */
export function embeddedConfig(env: Env): EmbeddedConfig {
  return Object.freeze({
    gateway: gatewayConfig(env),
    commitments: commitmentsConfig(env),
    indexer: indexerConfig(env),
    dataDir: env.string("DATA_DIR", "data"),
    adminPort: env.port("ADMIN_PORT", 9090),
    commitmentsPort: env.port("COMMITMENTS_PORT", 8081),
    indexerPort: env.port("INDEXER_PORT", 8082),
    authPort: env.port("AUTH_PORT", 8083),
    entitiesPort: env.port("ENTITIES_PORT", 8084),
    callerKeys: readCallerKeys(env) ?? new Map(),
    demo: env.boolean("DEMO", true),
    demoChain: env.boolean("DEMO_CHAIN", true),
    demoChainPort: env.port("DEMO_CHAIN_PORT", 0),
    demoAppPort: env.port("DEMO_APP_PORT", 3000),
    mailPage: env.boolean("MAIL_PAGE", false),
    mailPagePort: env.port("MAIL_PAGE_PORT", 8025),
    bidIntervalMs: env.duration("DEMO_BID_INTERVAL", { default: "1500ms", min: "10ms", max: "1h" }),
  });
}

/** Adds the demo's chain to those that the indexer reads. @throws ConfigError if a configured chain has its name */
export function withChain(config: IndexerConfig, chain: Chain): IndexerConfig {
  if (config.chains.some(({ name }) => name === chain.name)) {
    throw new ConfigError("CHAINS", `${chain.name} is the demo's own chain: take another name, or set DEMO_CHAIN=off`);
  }
  return { ...config, chains: [...config.chains, chain] };
}

/** The configured keys, and those that the process has generated for its own parts. */
export function withOwnKeys(configured: CallerKeys, own: Readonly<Record<string, Uint8Array>>): CallerKeys {
  const keys = new Map(configured);
  for (const [name, key] of Object.entries(own)) keys.set(name, [...(keys.get(name) ?? []), key]);
  return keys;
}
