import { bothKeys } from "../../../common/platform/secrets/both-keys.ts";
import { macOf } from "../../../common/platform/secrets/mac.ts";
import type { Clock } from "../../../common/platform/time/clock.ts";
import type { DerivedKeys } from "../base/derived-keys.ts";
import { DPOP_NONCE_ROTATION_MS } from "../base/lifetimes.ts";

/** The accepted nonces besides the present one: two former ones, and the next one, where another process's clock is ahead. */
const FORMER_NONCES = 2n;
const NEXT_NONCES = 1n;
/** The longest time for which one nonce is accepted, and so the time for which a proof can be used. */
export const NONCE_LIFETIME_MS = DPOP_NONCE_ROTATION_MS * (1n + FORMER_NONCES + NEXT_NONCES);

/**
 * The nonces that proofs must contain (RFC 9449 section 8). A nonce is an HMAC over the minute, so that every process knows it
 * and none is stored; nobody can compute a future one, to make proofs in advance. It's the same for all applications: it
 * dates a proof, and the `jti` makes it unique.
 */
export class DpopNonces {
  readonly #keys: readonly [Uint8Array, ...Uint8Array[]];
  readonly #clock: Clock;
  #rotation = -1n;
  #present = "";
  #accepted: ReadonlySet<string> = new Set();

  constructor({
    derivedKeys,
    clock,
  }: { readonly derivedKeys: Pick<DerivedKeys, "dpopNonce" | "other">; readonly clock: Clock }) {
    this.#keys = bothKeys(derivedKeys, "dpopNonce");
    this.#clock = clock;
  }

  /** Returns the nonce for the next proof, 43 characters of base64url. It is accepted for two to three minutes. */
  present(): string {
    this.#rotate();
    return this.#present;
  }

  /** Whether a nonce is accepted now. */
  accepts(nonce: string): boolean {
    this.#rotate();
    return this.#accepted.has(nonce);
  }

  #rotate(): void {
    const rotation = this.#clock() / DPOP_NONCE_ROTATION_MS;
    if (rotation === this.#rotation) return;
    const accepted = new Set<string>();
    for (let of = rotation - FORMER_NONCES; of <= rotation + NEXT_NONCES; of += 1n) {
      for (const key of this.#keys) accepted.add(nonceOf(key, of));
    }
    this.#accepted = accepted;
    this.#present = nonceOf(this.#keys[0], rotation);
    this.#rotation = rotation;
  }
}

function nonceOf(key: Uint8Array, rotation: bigint): string {
  return macOf(key, String(rotation)).toString("base64url");
}
