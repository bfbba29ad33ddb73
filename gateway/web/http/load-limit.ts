import { unavailable } from "./public-error.ts";

/** Bounds how many loads run at once; further ones are refused. */
export class LoadLimit {
  readonly #max: number;
  readonly #message: string;
  #running = 0;

  /** @param message of the refusal, a whole sentence */
  constructor(max: number, message: string) {
    this.#max = max;
    this.#message = message;
  }

  /** @throws PublicError `unavailable` where too many run */
  async run<Result>(load: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#max) throw unavailable(this.#message);
    this.#running++;
    try {
      return await load();
    } finally {
      this.#running--;
    }
  }
}
