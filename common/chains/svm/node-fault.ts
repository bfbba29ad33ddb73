import { SourceFault, type SourceFaultOptions } from "../base/source-fault.ts";
import type { CountedFailure } from "../nodes/url-backoff.ts";

export interface NodeFaultOptions extends SourceFaultOptions {
  /** Default: false. */
  readonly isOfUrl?: boolean;
  readonly refusal?: CountedFailure["refusal"];
}

/** Thrown if a node refuses a method, or if a whole URL fails. */
export class NodeFault extends SourceFault implements CountedFailure {
  readonly isOfUrl: boolean;
  readonly refusal: CountedFailure["refusal"];

  constructor(message: string, { isOfUrl = false, refusal, ...options }: NodeFaultOptions) {
    super(message, options);
    this.isOfUrl = isOfUrl;
    this.refusal = refusal;
  }
}
