import { Counter, type Registry } from "prom-client";

export interface AuthMetrics {
  /** Entries of one-time codes, by their result. */
  readonly signIns: Counter<"result">;
  /** Sets of tokens issued, by the grant. */
  readonly tokens: Counter<"grant">;
  /** Requests of the token endpoint refused, by the error. */
  readonly refusals: Counter<"error">;
  readonly mails: Counter<"result">;
}

const GRANTS = ["authorization_code", "refresh_token"];
/** RFC 6749 section 5.2, and `temporarily_unavailable`. */
const ERRORS = [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "invalid_scope",
  "unauthorized_client",
  "unsupported_grant_type",
  "temporarily_unavailable",
];

export function createAuthMetrics(registry: Registry): AuthMetrics {
  // Each value stands there from the start, as Prometheus can't see a first count that comes out of nothing.
  const counter = <Label extends string>(name: string, help: string, label: Label, values: readonly string[]) => {
    const metric = new Counter<string>({ name, help, labelNames: [label], registers: [registry] });
    for (const value of values) metric.inc({ [label]: value }, 0);
    return metric as Counter<Label>;
  };
  return {
    signIns: counter("tidemark_auth_sign_ins_total", "Entries of one-time codes, by result.", "result", [
      "correct",
      "wrong",
      "new_code_required",
    ]),
    tokens: counter("tidemark_auth_tokens_issued_total", "Sets of tokens issued, by grant.", "grant", GRANTS),
    refusals: counter(
      "tidemark_auth_refusals_total",
      "Requests of the token endpoint refused, by error.",
      "error",
      ERRORS,
    ),
    mails: counter("tidemark_auth_mails_total", "Mails handed over or failed, by result.", "result", [
      "sent",
      "failed",
    ]),
  };
}
