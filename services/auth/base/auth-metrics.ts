import { Counter, Gauge, type Registry } from "prom-client";

export interface AuthMetrics {
  /** One-time codes entered in sign-ins, by result. */
  readonly signInAttempts: Counter<"result">;
  /** Answers of passkeys in sign-ins, by result. */
  readonly passkeySignIns: Counter<"result">;
  /** Successful token responses, by grant type. */
  readonly tokens: Counter<"grant">;
  /** Error responses of the token endpoint, by OAuth error code. */
  readonly tokenErrors: Counter<"error">;
  /** Codes and refresh tokens that were sent again after their use, by kind. */
  readonly replays: Counter<"kind">;
  /** Responses of the introspection endpoint (RFC 7662), by result. */
  readonly introspections: Counter<"result">;
  /** Signing keys that were removed as leaked. */
  readonly keysRemoved: Counter;
  readonly mails: Counter<"result">;
  /** Mails that are being sent, or wait for a connection to the mail server. */
  readonly mailsWaiting: Gauge;
  /** Codes for which no mail was sent, as the address had too many. */
  readonly codesWithheld: Counter;
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
  // Every series exists from the start with 0, because `rate` can't see the first increase of a series that appears with 1.
  const counter = <Label extends string>(name: string, help: string, label: Label, values: readonly string[]) => {
    const metric = new Counter<string>({ name, help, labelNames: [label], registers: [registry] });
    for (const value of values) metric.inc({ [label]: value }, 0);
    return metric as Counter<Label>;
  };
  return {
    signInAttempts: counter("tidemark_auth_sign_in_attempts_total", "One-time codes entered in sign-ins.", "result", [
      "correct",
      "wrong",
      "new_code_required",
      "passkey_required",
      "not_a_code",
    ]),
    passkeySignIns: counter("tidemark_auth_passkey_sign_ins_total", "Answers of passkeys in sign-ins.", "result", [
      "accepted",
      "question_over",
      "refused",
      "unknown",
      "copy_suspected",
    ]),
    tokens: counter("tidemark_auth_tokens_issued_total", "Successful token responses.", "grant", GRANTS),
    tokenErrors: counter("tidemark_auth_token_errors_total", "Error responses of the token endpoint.", "error", ERRORS),
    replays: counter(
      "tidemark_auth_replays_total",
      "Codes and refresh tokens that were sent again after their use.",
      "kind",
      ["code", "refresh_token"],
    ),
    introspections: counter(
      "tidemark_auth_introspections_total",
      "Responses of the introspection endpoint.",
      "result",
      ["active", "inactive", "refused"],
    ),
    keysRemoved: new Counter({
      name: "tidemark_auth_keys_removed_total",
      help: "Signing keys that were removed as leaked.",
      registers: [registry],
    }),
    mails: counter("tidemark_auth_mails_total", "Mails sent or failed.", "result", ["sent", "failed"]),
    mailsWaiting: new Gauge({
      name: "tidemark_auth_mails_waiting",
      help: "Mails that are being sent, or wait for a connection to the mail server.",
      registers: [registry],
    }),
    codesWithheld: new Counter({
      name: "tidemark_auth_codes_withheld_total",
      help: "Codes for a sign-in that weren't sent, because the address had as many as are allowed.",
      registers: [registry],
    }),
  };
}
