import { SourceFault } from "../base/source-fault.ts";
import type { CountedFailure } from "../nodes/url-backoff.ts";

/**
 * Kinds of failures, by the reaction to them:
 * - `unavailable`: ask again, or another node;
 * - `timeout`, `too_large`: the same, or ask for less;
 * - `rate_limited`: wait;
 * - `reverted`: none, because the contract itself refused;
 * - `unsupported`: ask in another way, or another node;
 * - `unauthorised`, `wrong_url`: an operator must change the configuration.
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

/**
 * The subject of which a failure is evidence: `request` if the node answered with an error of JSON-RPC; `method` if it answered
 * something else, or nothing in time; `url` if it can't be reached, or refuses everything.
 */
export type FaultScope = "request" | "method" | "url";

export interface RpcFaultOptions {
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
  /** Default: `method`. */
  readonly scope?: FaultScope;
  /** The code of the node's JSON-RPC error. */
  readonly code?: number;
}

/** JSON-RPC 2.0, section 5.1, and EIP-1474: there is no such method, or this node doesn't support it. */
const CODES_OF_METHOD: ReadonlySet<number> = new Set([-32601, -32004]);

const CODES_OF_RATE: ReadonlySet<number> = new Set([-32005, -32029, 429, -32429]);
const UNCLEAR: ReadonlySet<RpcFaultKind> = new Set(["unavailable", "unsupported", "rate_limited", "unauthorised"]);

const MENDED_BY_OPERATOR: ReadonlySet<RpcFaultKind> = new Set(["unsupported", "unauthorised", "wrong_url"]);

/** Thrown for a failed request to a node. The message contains the node's host and nothing else of its URL. */
export class RpcFault extends SourceFault implements CountedFailure {
  readonly kind: RpcFaultKind;
  readonly scope: FaultScope;
  readonly #code: number | undefined;

  constructor(kind: RpcFaultKind, message: string, { scope = "method", code, ...options }: RpcFaultOptions = {}) {
    super(message, {
      ...options,
      remedy: MENDED_BY_OPERATOR.has(kind) ? "mend" : "wait",
      isOfNodes: kind !== "reverted",
    });
    this.name = "RpcFault";
    this.kind = kind;
    this.scope = scope;
    this.#code = code;
  }

  /**
   * Whether the error may be a contract's, in words that aren't known here or that the contract chose. It chooses no code: `-32005` is of
   * limits (EIP-1474), and others say the same by the number of HTTP's status.
   */
  get mayBeOfContract(): boolean {
    return this.scope === "request" && UNCLEAR.has(this.kind) && !CODES_OF_RATE.has(this.#code ?? 0);
  }

  /** The same failure as evidence about the whole URL. */
  ofUrl(): RpcFault {
    const { retryAfterMs } = this;
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    return new RpcFault(this.kind, this.message, { ...wait, cause: this, scope: "url" });
  }

  get isOfUrl(): boolean {
    return this.scope === "url";
  }

  get refusal(): CountedFailure["refusal"] {
    if (this.kind === "rate_limited") return "for now";
    if (this.kind === "unauthorised") return "for good";
    return this.kind === "unsupported" && CODES_OF_METHOD.has(this.#code ?? 0) ? "for good" : undefined;
  }

  /** Whether the node refused this request, rather than requests at this time. */
  get isRefusal(): boolean {
    return this.scope === "request" && this.kind !== "rate_limited" && this.kind !== "timeout";
  }
}

/** Whether a request for less may succeed. Also true for a revert, which some nodes report for a call that ran out of gas. */
export function mayFitIfSmaller(error: unknown): boolean {
  return error instanceof RpcFault && ["too_large", "timeout", "reverted"].includes(error.kind);
}
