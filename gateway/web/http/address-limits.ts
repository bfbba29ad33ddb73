import {
  ADDRESSES_A_SITE,
  rateLimitAddress,
  rateLimitSite,
} from "../../../common/platform/outbound/rate-limit-address.ts";
import { ownText } from "./own-text.ts";

export interface AddressLimitsOptions {
  /** The most that may be under way at once, in all. */
  readonly max: number;
  /** The most at once for one address, or one IPv6 /64. */
  readonly maxPerAddress: number;
  /** The error where too much is under way in all. */
  readonly full: () => Error;
  /** The error where too much is under way for one address. */
  readonly addressFull: () => Error;
}

/**
 * Counts what is under way at once, such as open streams, in all, by address and by IPv6 /48. No /48 has more than half of all,
 * unless one address may.
 */
export class AddressLimits {
  readonly #options: AddressLimitsOptions;
  readonly #maxPerSite: number;
  readonly #byNetwork = new Map<string, number>();
  #all = 0;

  constructor(options: AddressLimitsOptions) {
    this.#options = options;
    const { max, maxPerAddress } = options;
    this.#maxPerSite = Math.max(maxPerAddress, Math.min(ADDRESSES_A_SITE * maxPerAddress, Math.floor(max / 2)));
  }

  /** Whether as much is under way in all as may be. */
  get isFull(): boolean {
    return this.#all >= this.#options.max;
  }

  /** Returns whether an address, or its /48, has as much under way as it may. */
  isAddressFull(address: string): boolean {
    const { maxPerAddress } = this.#options;
    if (this.#count(rateLimitAddress(address)) >= maxPerAddress) return true;
    const site = rateLimitSite(address);
    return site !== undefined && this.#count(site) >= this.#maxPerSite;
  }

  /**
   * Counts something that begins.
   *
   * @param address of the client; empty where it is unknown
   * @returns a function that ends the count; calling it again does nothing
   * @throws the errors of the options
   */
  enter(address: string): () => void {
    const { full, addressFull } = this.#options;
    if (this.isAddressFull(address)) throw addressFull();
    if (this.isFull) throw full();
    const network = ownText(rateLimitAddress(address));
    const site = rateLimitSite(address);
    this.#add(network, 1);
    if (site !== undefined) this.#add(site, 1);
    this.#all++;
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#add(network, -1);
      if (site !== undefined) this.#add(site, -1);
      this.#all--;
    };
  }

  #count(network: string): number {
    return this.#byNetwork.get(network) ?? 0;
  }

  #add(network: string, change: 1 | -1): void {
    const count = this.#count(network) + change;
    if (count === 0) this.#byNetwork.delete(network);
    else this.#byNetwork.set(network, count);
  }
}
