export interface SourceFaultOptions {
  readonly remedy: "wait" | "mend";
  readonly retryAfterMs?: number;
  readonly isOfNodes?: boolean;
  readonly cause?: unknown;
}

/** Thrown if a source can't be read now. The message says what to do and has no secrets, such as keys in URLs. */
export class SourceFault extends Error {
  /** `wait`: it passes by itself; `mend`: somebody must change a setting or the contract. */
  readonly remedy: "wait" | "mend";
  /** Milliseconds to wait before the next request, if the node asked for a wait; 0 if reading again at once makes sense. */
  readonly retryAfterMs: number | undefined;
  /** Whether the chain's nodes are the cause, so that the sale's own source may be in order. */
  readonly isOfNodes: boolean;

  constructor(message: string, options: SourceFaultOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "SourceFault";
    this.remedy = options.remedy;
    this.retryAfterMs = options.retryAfterMs;
    this.isOfNodes = options.isOfNodes ?? false;
  }
}
