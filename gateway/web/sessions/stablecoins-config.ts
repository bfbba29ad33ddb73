import { canonicalAddress } from "../../../common/chains/addresses.ts";
import { ConfigError, type Env } from "../../../common/platform/config/env.ts";

/** Addresses of stablecoins, in the form that is compared, by the name of their chain. */
export type StablecoinAddresses = ReadonlyMap<string, readonly string[]>;

const MAX_BYTES = 65_536;
const MAX_CHAINS = 64;
/** Tokens of a chain, which one call asks about. */
const MAX_TOKENS = 32;
const CHAIN_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
const FORM = "expected a JSON object of lists of addresses by chain";

/** Reads `STABLECOINS`, none by default: those that founders may choose by name. @throws ConfigError */
export function readStablecoins(env: Env): StablecoinAddresses {
  const text = env.optionalString("STABLECOINS");
  if (text === undefined) return new Map();
  if (text.length > MAX_BYTES) throw new ConfigError("STABLECOINS", `expected ${MAX_BYTES} characters at most`);
  const chains = Object.entries(parseObject(text));
  if (chains.length > MAX_CHAINS) throw new ConfigError("STABLECOINS", `expected ${MAX_CHAINS} chains at most`);
  return new Map(chains.map(([chain, addresses]) => [chain, readAddresses(chain, addresses)]));
}

function parseObject(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ConfigError("STABLECOINS", FORM);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new ConfigError("STABLECOINS", FORM);
  return value;
}

function readAddresses(chain: string, value: unknown): readonly string[] {
  if (!CHAIN_NAME.test(chain)) throw new ConfigError("STABLECOINS", "expected names of CHAINS");
  if (!Array.isArray(value) || value.length > MAX_TOKENS) {
    throw new ConfigError("STABLECOINS", `expected a list of ${MAX_TOKENS} addresses at most for ${chain}`);
  }
  return value.map((text: unknown) => {
    const address = typeof text === "string" ? canonicalAddress(text) : undefined;
    if (address === undefined) throw new ConfigError("STABLECOINS", `expected addresses of tokens for ${chain}`);
    return address;
  });
}
