import type { Env } from "../../../../common/platform/config/env.ts";
import { keyEncryptionKey, otherKeyEncryptionKey } from "../../../../common/platform/config/key-encryption-key.ts";

/** Settings of webhooks. */
export interface WebhookConfig {
  /** `KEY_ENCRYPTION_KEY`: 32 bytes, under which secrets are wrapped. Without it there are no webhooks. */
  readonly keyEncryptionKey: Uint8Array | undefined;
  /** `KEY_ENCRYPTION_KEY_OTHER`: 32 bytes, while the key changes. */
  readonly otherKeyEncryptionKey: Uint8Array | undefined;
  /** `WEBHOOK_TIMEOUT`, 10 s: the time for an attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** `WEBHOOK_DISABLE_AFTER`, 120 h: the time of failures alone after which an endpoint is disabled. In milliseconds. */
  readonly disableAfterMs: number;
  /** `OUTBOUND_LOOPBACK`, `off`: whether endpoints may be on this machine, for tests and development. */
  readonly outboundLoopback: boolean;
}

/** @throws ConfigError naming the variable */
export function webhookConfig(env: Env): WebhookConfig {
  return Object.freeze({
    keyEncryptionKey: env.optionalSecret("KEY_ENCRYPTION_KEY") === undefined ? undefined : keyEncryptionKey(env),
    otherKeyEncryptionKey: otherKeyEncryptionKey(env),
    timeoutMs: env.duration("WEBHOOK_TIMEOUT", { default: "10s", min: "1s", max: "30s" }),
    disableAfterMs: env.duration("WEBHOOK_DISABLE_AFTER", { default: "120h", min: "24h", max: "720h" }),
    outboundLoopback: env.choice("OUTBOUND_LOOPBACK", ["on", "off"], "off") === "on",
  });
}
