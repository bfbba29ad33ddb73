import { base58 } from "@scure/base";
import { ConfigError, type Env } from "../platform/config/env.ts";
import { DURATION_UNITS, parseQuantity } from "../platform/config/quantity.ts";
import { type Chain, type EvmChain, REFERENCE_PROGRAM, type SvmChain } from "./base/chain.ts";

const MAX_PUBLIC_KEY_LENGTH = 44;
/** Bounds all chains together: each has its own connections and limits. */
const MAX_CHAINS = 64;
const MAX_URLS = 8;
const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
const MAX_EXPLORER_URL = 400;
/** The place of the address in an `explorerUrl` isn't in the host, and there are no user name, fragment and other braces. */
const EXPLORER_URL = /^https?:\/\/[^\s/?#@{}]+\/[^\s#{}]*\{address\}[^\s#{}]*$/;

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
  const kind = fields.choice("kind", ["evm", "svm"]);
  const chain = kind === "evm" ? evmChain(name, fields) : svmChain(name, fields);
  fields.refuseOthers();
  return Object.freeze(chain);
}

function evmChain(name: string, fields: ChainFields): EvmChain {
  const webSocketUrl = fields.optionalUrl("webSocketUrl", ["ws:", "wss:"]);
  return {
    kind: "evm",
    name,
    chainId: fields.integer("chainId", undefined, 1, Number.MAX_SAFE_INTEGER),
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
    kind: "svm",
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

/** The fields of one chain. It notes which are read, so that unknown ones can be refused. */
class ChainFields {
  readonly #chain: string;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #known = new Set<string>();

  constructor(chain: string, values: Readonly<Record<string, unknown>>) {
    this.#chain = chain;
    this.#values = values;
  }

  read(field: string, standard?: unknown): unknown {
    this.#known.add(field);
    return Object.hasOwn(this.#values, field) ? this.#values[field] : standard;
  }

  integer(field: string, standard: number | undefined, min: number, max: number): number {
    const value = this.read(field, standard);
    if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
    return this.#refuse(field, `a whole number from ${min} to ${max}`);
  }

  duration(field: string, standard: string, minMs: number, maxMs: number): number {
    const value = this.read(field, standard);
    const millis = typeof value === "string" ? parseQuantity(value, DURATION_UNITS) : undefined;
    if (millis !== undefined && millis >= minMs && millis <= maxMs) return millis;
    return this.#refuse(field, `a duration such as ${standard}, from ${minMs}ms to ${maxMs}ms`);
  }

  publicKey(field: string, standard: string): string {
    return this.optionalPublicKey(field) ?? standard;
  }

  optionalPublicKey(field: string): string | undefined {
    const value = this.read(field);
    return value === undefined || isPublicKey(value) ? value : this.#refuse(field, "base58 of 32 bytes");
  }

  choice<Option extends string>(field: string, options: readonly Option[], standard?: Option): Option {
    const value = this.read(field, standard);
    return options.find((option) => option === value) ?? this.#refuse(field, options.join(" or "));
  }

  urls(field: string): readonly string[] {
    const value = this.read(field);
    const given: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_URLS + 1) : [];
    const valid = given.map((url) => urlOf(url, ["http:", "https:"])).filter((url) => url !== undefined);
    const isCount = given.length > 0 && given.length <= MAX_URLS;
    if (isCount && valid.length === given.length) return Object.freeze(valid);
    return this.#refuse(field, `a list of 1 to ${MAX_URLS} http or https URLs without fragment`);
  }

  optionalUrl(field: string, protocols: readonly string[]): string | undefined {
    const value = this.read(field);
    if (value === undefined) return undefined;
    return urlOf(value, protocols) ?? this.#refuse(field, `a URL of ${protocols.join(" or ")} without fragment`);
  }

  optionalExplorer(field: string): string | undefined {
    const value = this.read(field);
    if (value === undefined) return undefined;
    const isShort = typeof value === "string" && value.length <= MAX_EXPLORER_URL;
    if (isShort && EXPLORER_URL.test(value) && URL.canParse(value)) return value;
    return this.#refuse(field, "an http or https URL with {address} once in its path, at most 400 characters");
  }

  refuseOthers(): void {
    const other = Object.keys(this.#values).find((field) => !this.#known.has(field));
    if (other !== undefined) this.#refuse(other, "no such field");
  }

  #refuse(field: string, expected: string): never {
    throw new ConfigError("CHAINS", `${this.#chain}.${field}: expected ${expected}`);
  }
}

function isPublicKey(value: unknown): value is string {
  if (typeof value !== "string" || value.length > MAX_PUBLIC_KEY_LENGTH) return false;
  try {
    return base58.decode(value).length === 32;
  } catch {
    return false;
  }
}

function urlOf(value: unknown, protocols: readonly string[]): string | undefined {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  const isUsable = protocols.includes(url.protocol) && !url.href.includes("#") && hasReadableCredentials(url);
  return isUsable ? value : undefined;
}

/** Whether the credentials can be decoded: a stray percent sign, for instance, can't. */
function hasReadableCredentials({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
