import type { Logger } from "../../../common/platform/log/log.ts";

/** Logs a sale's problem as a warning once, and its repetitions at debug level: hundreds of sales may have it for hours. */
export class ProblemLog {
  readonly #logger: Logger;
  readonly #saleUuid: string;
  #last = "";

  constructor(logger: Logger, saleUuid: string) {
    this.#logger = logger;
    this.#saleUuid = saleUuid;
  }

  add(error: unknown, message: string): void {
    const problem = `${message}: ${error instanceof Error ? error.message : ""}`;
    const level = problem === this.#last ? "debug" : "warn";
    this.#last = problem;
    this.#logger[level]({ err: error, sale: this.#saleUuid }, message);
  }

  /** The problem is over: if it comes back, it is a new one. */
  clear(): void {
    this.#last = "";
  }
}
