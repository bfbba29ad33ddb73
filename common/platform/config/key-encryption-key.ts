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
  return keyOfText("KEY_ENCRYPTION_KEY", text);
}

/**
 * Reads `KEY_ENCRYPTION_KEY_OTHER`: before a change of the key the coming one, after it the former one.
 *
 * @returns undefined where it isn't set
 * @throws ConfigError naming the variable
 */
export function otherKeyEncryptionKey(env: Env): Uint8Array | undefined {
  const text = env.optionalSecret("KEY_ENCRYPTION_KEY_OTHER");
  return text === undefined ? undefined : keyOfText("KEY_ENCRYPTION_KEY_OTHER", text);
}

function keyOfText(name: string, text: string): Uint8Array {
  const key = Buffer.from(text, "base64url");
  if (key.length === KEY_BYTES && key.toString("base64url") === text) return key;
  throw new ConfigError(name, `expected ${KEY_BYTES} bytes as base64url without padding`);
}
