import { join } from "node:path";
import type { Env } from "../../common/platform/config/env.ts";
import { type AuthSurfaceConfig, authSurfaceConfig } from "../../gateway/web/sessions/auth-config.ts";
import { type AuthConfig, authConfig } from "../auth/base/config.ts";
import type { EmbeddedConfig } from "./config.ts";
import { readOrCreateKeyEncryptionKey } from "./key-encryption-key-file.ts";

/** The configuration of sign-in. Every setting has a default. */
export interface EmbeddedAuthConfig {
  readonly service: AuthConfig;
  readonly surface: AuthSurfaceConfig;
}

/**
 * @param gatewayPort the gateway's port, a part of the issuer
 * @param keyOf returns the key of a data folder: by default it creates one that is missing
 * @throws ConfigError naming the variable
 */
export function embeddedAuthConfig(
  env: Env,
  { dataDir }: Pick<EmbeddedConfig, "dataDir">,
  gatewayPort: number,
  keyOf = readOrCreateKeyEncryptionKey,
): EmbeddedAuthConfig {
  const authUrl = `http://localhost:${gatewayPort}`;
  const surface = authSurfaceConfig(env, { authUrl });
  const service = authConfig(env, {
    issuer: authUrl,
    keyEncryptionKey: () => keyOf(dataDir),
    founders: "open",
    mailFolder: join(dataDir, "mail"),
  });
  return { service, surface };
}
