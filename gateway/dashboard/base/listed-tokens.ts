import { LRUCache } from "lru-cache";
import { canonicalAddress } from "../../../common/chains/addresses.ts";
import type { StablecoinAddresses } from "../../web/sessions/stablecoins-config.ts";
import type { IndexerClient } from "./indexer-client.ts";

/** A stablecoin of the operator's list, with what the chain says about it. */
export interface ListedToken {
  /** In the form that is compared. */
  readonly address: string;
  /** Empty where it can't be read now. */
  readonly symbol: string;
  /** Empty where they can't be read now. */
  readonly decimals: string;
}

const TIMEOUT_MS = 8_000;
/** How long the facts of a chain's tokens are cached. They hardly ever change. */
const CACHE_MS = 600_000;
const MAX_CHAINS = 64;

/** The stablecoins of the operator's list, by chain. Their symbols and decimals come from the chain. */
export class ListedTokens {
  readonly #addresses: StablecoinAddresses;
  readonly #indexer: IndexerClient | undefined;
  readonly #cache = new LRUCache<string, readonly ListedToken[]>({ max: MAX_CHAINS, ttl: CACHE_MS });

  constructor(addresses: StablecoinAddresses, indexer: IndexerClient | undefined) {
    this.#addresses = addresses;
    this.#indexer = indexer;
  }

  /** Returns those of a chain. Never fails: what can't be read now is empty. */
  async on(chain: string): Promise<readonly ListedToken[]> {
    const addresses = this.#addresses.get(chain) ?? [];
    const cached = this.#cache.get(chain);
    if (cached !== undefined || addresses.length === 0 || this.#indexer === undefined) return cached ?? [];
    try {
      const { tokens } = await this.#indexer.checkTokens({ chain, addresses: [...addresses] }, { timeoutMs: TIMEOUT_MS });
      const listed = tokens.map(({ symbol, decimals }, index) => ({
        ...{ address: addresses[index] ?? "", symbol, decimals: decimals === undefined ? "" : String(decimals) },
      }));
      if (listed.every(({ decimals }) => decimals !== "")) this.#cache.set(chain, listed);
      return listed;
    } catch {
      return addresses.map((address) => ({ address, symbol: "", decimals: "" }));
    }
  }

  /** Whether a token is in the list of any chain. */
  has(address: string): boolean {
    const canonical = canonicalAddress(address) ?? "";
    return [...this.#addresses.values()].some((addresses) => addresses.includes(canonical));
  }
}
