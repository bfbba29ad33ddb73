import { type Client, Code } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import type { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { AddressLimits } from "../http/address-limits.ts";
import { ownText } from "../http/own-text.ts";
import { type PublicError, unavailable } from "../http/public-error.ts";
import { TtlCache } from "../http/ttl-cache.ts";
import { ANSWER_MAX_AGE_MS, LOGO_TTL_MS, MISSING_LOGO_TTL_MS } from "../lifetimes.ts";
import { isRefused } from "../sessions/auth-failure.ts";

const LOGO_HASH = /^[0-9a-f]{64}$/;
const LOGO_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/webp"]);
/** Logos held, of 200 KB at most each. */
const MAX_LOGOS = 64;
/** Logos loaded at once. */
const MAX_LOADS = 32;
/** The most for one address: more than one page shows at first. */
const MAX_LOADS_PER_ADDRESS = 12;
/** Hashes held that nobody has, of some 200 bytes each. */
const MAX_MISSING = 10_000;

export interface LogosOptions {
  /** Source of the logos of sales. */
  readonly commitments: Pick<Client<typeof CommitmentService>, "getSaleLogo">;
  /** Source of the logos of applications; absent where the gateway has no auth service. */
  readonly clients?: Pick<Client<typeof ClientService>, "getLogo"> | undefined;
  /** Deadline of each call, in milliseconds. */
  readonly timeoutMs: number;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** Loads a logo by its hash. @throws ConnectError */
type LogoSource = (logo: string) => Promise<Logo>;

export interface Logo {
  readonly mediaType: string;
  readonly image: Uint8Array;
}

/** The logos of applications and sales, by the SHA-256 of their images. */
export class Logos {
  readonly #logos: TtlCache<Logo>;
  /** Hashes that nobody had, each with the time until which it isn't asked for again. */
  readonly #missing = new LRUCache<string, number>(atMost(MAX_MISSING));
  readonly #limits = new AddressLimits({
    max: MAX_LOADS,
    maxPerAddress: MAX_LOADS_PER_ADDRESS,
    full: tooMany,
    addressFull: tooMany,
  });
  readonly #now: () => number;

  constructor({ commitments, clients, timeoutMs, now }: LogosOptions) {
    const options = { timeoutMs };
    const sources: LogoSource[] = [
      ...(clients === undefined ? [] : [(logo: string) => clients.getLogo({ logo }, options)]),
      (logo) => commitments.getSaleLogo({ logo }, options),
    ];
    this.#now = now;
    this.#logos = new TtlCache({
      load: (logo) => firstOf(sources, logo),
      ttlMs: LOGO_TTL_MS,
      maxAgeMs: ANSWER_MAX_AGE_MS,
      maxEntries: MAX_LOGOS,
      now,
    });
  }

  /**
   * Returns a logo; undefined for a hash that nobody has.
   *
   * @param address of the client; empty where it is unknown
   * @throws ConnectError where one of the services doesn't answer; PublicError `unavailable` where too many logos are being
   *   loaded, in all or for the address; TypeError for an image of another type
   */
  async get(hash: string, address: string): Promise<Logo | undefined> {
    if (!LOGO_HASH.test(hash) || this.#now() < (this.#missing.get(hash) ?? 0)) return undefined;
    const own = ownText(hash);
    const leave = this.#logos.has(own) ? undefined : this.#limits.enter(address);
    try {
      const logo = await this.#logos.get(own);
      if (!LOGO_TYPES.has(logo.mediaType)) throw new TypeError(`logo of type ${logo.mediaType}`);
      return logo;
    } catch (error) {
      if (!isRefused(error, Code.NotFound, Code.Unimplemented)) throw error;
      this.#missing.set(own, this.#now() + MISSING_LOGO_TTL_MS);
      return undefined;
    } finally {
      leave?.();
    }
  }
}

function tooMany(): PublicError {
  return unavailable("Too many logos are being loaded at the moment.");
}

/** Returns the logo that a source has. @throws the first failure that doesn't say that a source lacks the logo, else the last */
async function firstOf(sources: readonly LogoSource[], logo: string): Promise<Logo> {
  const failures: unknown[] = [];
  for (const source of sources) {
    try {
      return await source(logo);
    } catch (error) {
      failures.push(error);
    }
  }
  // A service of the version before has no logos.
  throw failures.find((error) => !isRefused(error, Code.NotFound, Code.Unimplemented)) ?? failures.at(-1);
}
