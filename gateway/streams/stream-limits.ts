import { PublicError, unavailable } from "../web/http/public-error.ts";

/** Bounds of the streams of a process. */
export interface StreamConfig {
  /** `STREAM_MAX`, 15,000: streams at once. */
  readonly maxStreams: number;
  /** `STREAM_MAX_PER_ADDRESS`, 1,000: streams at once from one address. */
  readonly maxPerAddress: number;
  /** `STREAM_MAX_BUFFER`, 256 KiB: what may wait for a reader beside a body; one with more waiting is cut. */
  readonly maxBufferBytes: number;
}

/** Counts open streams, in all and by address. */
export class StreamLimits {
  readonly #config: StreamConfig;
  readonly #byAddress = new Map<string, number>();
  #open = 0;

  constructor(config: StreamConfig) {
    this.#config = config;
  }

  /** @throws PublicError `resource_exhausted`, `unavailable` where there are too many */
  enter(address: string): void {
    const count = this.#byAddress.get(address) ?? 0;
    if (count >= this.#config.maxPerAddress) throw tooMany();
    if (this.#open >= this.#config.maxStreams) throw unavailable("Too many streams are open at the moment.");
    this.#byAddress.set(address, count + 1);
    this.#open++;
  }

  /** Once for each `enter`. */
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
