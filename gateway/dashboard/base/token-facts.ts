import { LRUCache } from "lru-cache";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import type { TokenCheck } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";

/**
 * How long a token's facts are cached. Not longer, since a form refuses decimals that differ from them: a token that is deployed anew
 * at its address, as on a test chain that began again, may have others.
 */
const CACHE_MS = 60_000;
const MAX_TOKENS = 10_000;

/** Facts of tokens, as chains have said them. A page's script checks its form with each entry, and asks for each token once. */
export class TokenFacts {
  readonly #tokens = new LRUCache<string, TokenCheck>({ ...atMost(MAX_TOKENS), ttl: CACHE_MS });

  /** Returns what a chain has said about a token; undefined where that isn't known. */
  of(chain: string, address: string): TokenCheck | undefined {
    return this.#tokens.get(keyOf(chain, address));
  }

  /** Caches those of a chain that could be read. */
  keep(chain: string, tokens: readonly TokenCheck[]): void {
    for (const token of tokens) if (token.decimals !== undefined) this.#tokens.set(keyOf(chain, token.address), token);
  }
}

/** Names of chains have no spaces. */
function keyOf(chain: string, address: string): string {
  return `${chain} ${address}`;
}
