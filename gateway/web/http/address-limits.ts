import { PublicError, unavailable } from "../web/http/public-error.ts";
import type { StreamConfig } from "./stream-config.ts";

/** Counts open streams, in all and by address. */
export class StreamLimits {
  readonly #config: StreamConfig;
  readonly #byAddress = new Map<string, number>();
  #open = 0;

  constructor(config: StreamConfig) {
    this.#config = config;
  }

  /** Counts a stream. @throws PublicError `resource_exhausted` or `unavailable` where there are too many */
  enter(address: string): void {
    const count = this.#byAddress.get(address) ?? 0;
    if (count >= this.#config.maxPerAddress) throw tooMany();
    if (this.#open >= this.#config.maxStreams) throw unavailable("Too many streams are open at the moment.");
    this.#byAddress.set(address, count + 1);
    this.#open++;
  }

  /** Ends a count; called once for each `enter`. */
  leave(address: string): void {
    const count = this.#byAddress.get(address) ?? 0;
    if (count > 1) this.#byAddress.set(address, count - 1);
    else this.#byAddress.delete(address);
    this.#open--;
  }
}

function tooMany(): PublicError {
  const message = "Too many streams are open from this address.";
  return new PublicError("resource_exhausted", message, { headers: ["Retry-After", "10"] });
}
