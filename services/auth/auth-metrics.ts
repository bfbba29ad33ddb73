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

export function createAuthMetrics(registry: Registry): AuthMetrics {
  const counter = <Label extends string>(name: string, help: string, label: Label) =>
    new Counter({ name, help, labelNames: [label], registers: [registry] });
  return {
    signIns: counter("tidemark_auth_sign_ins_total", "Entries of one-time codes, by result.", "result"),
    tokens: counter("tidemark_auth_tokens_issued_total", "Sets of tokens issued, by grant.", "grant"),
    refusals: counter("tidemark_auth_refusals_total", "Requests of the token endpoint refused, by error.", "error"),
    mails: counter("tidemark_auth_mails_total", "Mails handed over or failed, by result.", "result"),
  };
}
