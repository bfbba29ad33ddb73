import { ConfigError } from "./config-error.ts";
import type { Env } from "./env.ts";

const KEY_BYTES = 32;

/**
 * Reads `KEY_ENCRYPTION_KEY`.
 *
 * @param makeDefault returns 32 bytes as base64url; called only if the setting is missing
 * @throws ConfigError naming the variable
 */
export function keyEncryptionKey(env: Env, makeDefault?: () => string): Uint8Array {
  const text = env.optionalSecret("KEY_ENCRYPTION_KEY") ?? makeDefault?.() ?? env.secret("KEY_ENCRYPTION_KEY");
  const key = Buffer.from(text, "base64url");
  if (key.length === KEY_BYTES && key.toString("base64url") === text) return key;
  throw new ConfigError("KEY_ENCRYPTION_KEY", `expected ${KEY_BYTES} bytes as base64url without padding`);
}
