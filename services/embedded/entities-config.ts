import type { Env } from "../../common/platform/config/env.ts";
import { type EntitiesConfig, entitiesConfig } from "../entities/base/config.ts";
import type { EmbeddedConfig } from "./config.ts";
import { readOrCreateKeyEncryptionKey } from "./key-encryption-key-file.ts";

/**
 * The configuration of the entities service, with defaults for all settings.
 *
 * @param issuer that of auth
 * @param keyOf returns the key of a data folder: by default it creates one that is missing
 * @throws ConfigError naming the variable
 */
export function embeddedEntitiesConfig(
  env: Env,
  { dataDir }: Pick<EmbeddedConfig, "dataDir">,
  issuer: string,
  keyOf = readOrCreateKeyEncryptionKey,
): EntitiesConfig {
  return entitiesConfig(env, {
    issuer,
    keyEncryptionKey: () => keyOf(dataDir),
    identityProvider: "demo",
  });
}
