import { SourceFault } from "../../source/source-reader.ts";

/**
 * What a node's failure calls for:
 * - `unavailable`: asking again, or another node;
 * - `timeout`, `too_large`: the same, or asking for less;
 * - `rate_limited`: waiting;
 * - `reverted`: nothing, the contract itself refused;
 * - `unsupported`: asking in another way, or another node;
 * - `unauthorised`, `wrong_url`: an operator who mends the configuration.
 */
export type RpcFaultKind =
  | "unavailable"
  | "timeout"
  | "too_large"
  | "rate_limited"
  | "reverted"
  | "unsupported"
  | "unauthorised"
  | "wrong_url";

const MENDED_BY_OPERATOR: ReadonlySet<RpcFaultKind> = new Set(["unsupported", "unauthorised", "wrong_url"]);

/** A request that a node did not answer as it should. Its message names the node's host and nothing else of its URL. */
export class RpcFault extends SourceFault {
  readonly kind: RpcFaultKind;

  constructor(kind: RpcFaultKind, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { ...options, remedy: MENDED_BY_OPERATOR.has(kind) ? "mend" : "wait" });
    this.name = "RpcFault";
    this.kind = kind;
  }
}

/** Whether asking for less may help: also a revert, for which some nodes take a call that ran out of gas. */
export function mayFitIfSmaller(error: unknown): boolean {
  return error instanceof RpcFault && ["too_large", "timeout", "reverted"].includes(error.kind);
}
