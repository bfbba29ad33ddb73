import { rateLimitAddress } from "../../../common/platform/outbound/rate-limit-address.ts";
import { ownText } from "./own-text.ts";
import type { PublicError } from "./public-error.ts";

export interface AddressLimitsOptions {
  /** The most that may be under way at once, in all. */
  readonly max: number;
  /** The most at once for one address, or one IPv6 /64. */
  readonly maxPerAddress: number;
  /** The error where too much is under way in all. */
  readonly full: () => PublicError;
  /** The error where too much is under way for one address. */
  readonly addressFull: () => PublicError;
}

/** Counts what is under way at once, such as open streams, in all and by address. */
export class AddressLimits {
  readonly #options: AddressLimitsOptions;
  readonly #byAddress = new Map<string, number>();
  #all = 0;

  constructor(options: AddressLimitsOptions) {
    this.#options = options;
  }

  /**
   * Counts something that begins.
   *
   * @param address of the client; empty where it is unknown
   * @returns a function that ends the count; calling it again does nothing
   * @throws PublicError of the options
   */
  enter(address: string): () => void {
    const { max, maxPerAddress, full, addressFull } = this.#options;
    const key = ownText(rateLimitAddress(address));
    const count = this.#byAddress.get(key) ?? 0;
    if (count >= maxPerAddress) throw addressFull();
    if (this.#all >= max) throw full();
    this.#byAddress.set(key, count + 1);
    this.#all++;
    let isIn = true;
    return () => {
      if (isIn) this.#leave(key);
      isIn = false;
    };
  }

  #leave(key: string): void {
    const count = this.#byAddress.get(key) ?? 0;
    if (count > 1) this.#byAddress.set(key, count - 1);
    else this.#byAddress.delete(key);
    this.#all--;
  }
}
