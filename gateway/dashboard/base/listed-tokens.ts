import { canonicalAddress } from "../../../common/chains/addresses.ts";
import { TtlCache } from "../../web/http/ttl-cache.ts";
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
/**
 * How long the facts of a chain's tokens are cached, also where some can't be read: founders type, and don't wait for a node that is
 * away with each letter. Not longer, as for those of other tokens (`TokenFacts`).
 */
const CACHE_MS = 30_000;
const MAX_CHAINS = 64;

/** The stablecoins of the operator's list, by chain. Their symbols and decimals come from the chain. */
export class ListedTokens {
  readonly #addresses: StablecoinAddresses;
  readonly #indexer: IndexerClient | undefined;
  readonly #tokens: TtlCache<readonly ListedToken[]>;

  /** @param now monotonic clock in milliseconds; that of the process by default */
  constructor(addresses: StablecoinAddresses, indexer: IndexerClient | undefined, now = () => performance.now()) {
    this.#addresses = addresses;
    this.#indexer = indexer;
    const load = (chain: string) => this.#load(chain);
    this.#tokens = new TtlCache({ load, ttlMs: CACHE_MS, maxAgeMs: CACHE_MS, maxEntries: MAX_CHAINS, now });
  }

  /** Returns those of a chain. Never fails: what can't be read now is empty. */
  async on(chain: string): Promise<readonly ListedToken[]> {
    if (this.#indexer === undefined || !this.#addresses.get(chain)?.length) return [];
    return this.#tokens.get(chain);
  }

  async #load(chain: string): Promise<readonly ListedToken[]> {
    const addresses = this.#addresses.get(chain) ?? [];
    const request = { chain, addresses: [...addresses] };
    const found = await this.#indexer?.checkTokens(request, { timeoutMs: TIMEOUT_MS }).catch(() => undefined);
    return addresses.map((address, index) => {
      const { symbol = "", decimals } = found?.tokens[index] ?? {};
      return { address, symbol, decimals: decimals === undefined ? "" : String(decimals) };
    });
  }

  /** Whether a token is in the list of any chain. */
  has(address: string): boolean {
    const canonical = canonicalAddress(address) ?? "";
    return [...this.#addresses.values()].some((addresses) => addresses.includes(canonical));
  }
}
