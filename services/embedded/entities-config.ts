import type { Env } from "../../common/platform/config/env.ts";
import { type EntitiesConfig, entitiesConfig } from "../entities/base/config.ts";
import type { EmbeddedConfig } from "./config.ts";
import { readOrCreateKeyEncryptionKey } from "./key-encryption-key-file.ts";

/**
 * The configuration of the entities service, with defaults for all settings.
 *
 * @param issuer that of auth
 * @throws ConfigError naming the variable
 */
export function embeddedEntitiesConfig(
  env: Env,
  { dataDir }: Pick<EmbeddedConfig, "dataDir">,
  issuer: string,
): EntitiesConfig {
  return entitiesConfig(env, {
    issuer,
    keyEncryptionKey: () => readOrCreateKeyEncryptionKey(dataDir),
    identityProvider: "demo",
  });
}
