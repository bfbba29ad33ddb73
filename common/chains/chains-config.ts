import { ConfigError, type Env } from "../platform/config/env.ts";
import { type Chain, type Chains, type EvmChain, REFERENCE_PROGRAM, type SvmChain } from "./base/chain.ts";
import { CHAIN_FAMILIES, type ChainFamily } from "./base/chain-family.ts";
import { ChainFields } from "./chain-fields.ts";

/** Bounds all chains together: each has its own connections and limits. */
const MAX_CHAINS = 64;
const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

/**
 * Reads `CHAINS`, or the file that `CHAINS_FILE` names: a JSON object of at most 64 chains by name, each with at most 8 URLs.
 * `docs/operating.md` lists the fields of a chain with their defaults and ranges.
 *
 * @throws ConfigError naming the chain and the field, without any URL.
 */
export function chainsConfig(env: Env): readonly Chain[] {
  const text = env.optionalSecret("CHAINS");
  if (text === undefined) return [];
  const chains = Object.entries(parseObject(text));
  if (chains.length > MAX_CHAINS) throw new ConfigError("CHAINS", `expected ${MAX_CHAINS} chains at most`);
  return Object.freeze(chains.map(([name, value]) => parseChain(name, value)));
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ConfigError("CHAINS", "expected a JSON object of chains by name");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new ConfigError("CHAINS", "expected a JSON object of chains by name");
}

function parseChain(name: string, value: unknown): Chain {
  if (!NAME.test(name)) throw new ConfigError("CHAINS", "expected chain names of a-z, 0-9 and -, 63 at most");
  if (typeof value !== "object" || value === null) throw new ConfigError("CHAINS", `expected an object for ${name}`);
  const fields = new ChainFields(name, { ...value });
  const chain = PARSERS[fields.choice("kind", CHAIN_FAMILIES)](name, fields);
  fields.refuseOthers();
  return Object.freeze(chain);
}

const PARSERS: { readonly [Family in ChainFamily]: (name: string, fields: ChainFields) => Chains[Family] } = {
  evm: evmChain,
  svm: svmChain,
};

function evmChain(name: string, fields: ChainFields): EvmChain {
  const webSocketUrl = fields.optionalUrl("webSocketUrl", ["ws:", "wss:"]);
  return {
    family: "evm",
    name,
    chainId: fields.integer("chainId", undefined, 1, Number.MAX_SAFE_INTEGER),
    coinSymbol: fields.symbol("coinSymbol", "ETH"),
    urls: fields.urls("urls"),
    ...(webSocketUrl === undefined ? {} : { webSocketUrl }),
    confirmations:
      fields.read("confirmations") === "finalized" ? "finalized" : fields.integer("confirmations", 2, 0, 10_000),
    pollIntervalMs: fields.duration("pollInterval", "2s", 50, 600_000),
    maxConcurrency: fields.integer("maxConcurrency", 4, 1, 64),
    chunkRows: fields.integer("chunkRows", 500, 1, 10_000),
    sweepIntervalMs: fields.duration("sweepInterval", "10m", 1_000, 86_400_000),
    maxCommitments: fields.integer("maxCommitments", 5_000_000, 1, 50_000_000),
    maxHeadLag: fields.integer("maxHeadLag", 10, 1, 1_000_000),
    requestTimeoutMs: fields.duration("requestTimeout", "10s", 100, 120_000),
    ...explorerOf(fields),
  };
}

function svmChain(name: string, fields: ChainFields): SvmChain {
  const genesisHash = fields.optionalPublicKey("genesisHash");
  return {
    family: "svm",
    name,
    program: fields.publicKey("program", REFERENCE_PROGRAM),
    ...(genesisHash === undefined ? {} : { genesisHash }),
    urls: fields.urls("urls"),
    commitment: fields.choice("commitment", ["confirmed", "finalized"], "confirmed"),
    pollIntervalMs: fields.duration("pollInterval", "2s", 50, 600_000),
    maxConcurrency: fields.integer("maxConcurrency", 4, 1, 64),
    maxHeadLag: fields.integer("maxHeadLag", 50, 1, 1_000_000),
    requestTimeoutMs: fields.duration("requestTimeout", "10s", 100, 120_000),
    ...explorerOf(fields),
  };
}

function explorerOf(fields: ChainFields): Pick<Chain, "explorerUrl"> {
  const explorerUrl = fields.optionalExplorer("explorerUrl");
  return explorerUrl === undefined ? {} : { explorerUrl };
}
