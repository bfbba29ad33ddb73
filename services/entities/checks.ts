import { authProbe, commitmentsProbe, indexerProbe } from "../../common/internal-api/upstream-probes.ts";
import { databaseProbe, type StoreUse } from "../../common/platform/checks/database/database-probe.ts";
import { ownCertificateProbe } from "../../common/platform/checks/own-certificate-probe.ts";
import type { Probe } from "../../common/platform/checks/run-probes.ts";
import { issuerKeysProbe } from "../../common/platform/checks/services/issuer-keys-probe.ts";
import { upstreamAddress } from "../../common/platform/checks/services/service-probe.ts";
import { settingsProbe } from "../../common/platform/checks/settings-probe.ts";
import type { Env } from "../../common/platform/config/env.ts";
import { readCallerIssuer } from "../../common/platform/rpc/identity/caller-config.ts";
import { readRpcTls } from "../../common/platform/rpc/identity/rpc-tls.ts";
import { traceReceiverProbe } from "../../common/platform/tracing/otlp/receiver-probe.ts";
import { tracingConfig } from "../../common/platform/tracing/otlp/tracing-config.ts";
import { type EntitiesConfig, entitiesConfig, storeConfig } from "./base/config.ts";
import { deriveKeys } from "./base/derived-keys.ts";
import { missingMigrations } from "./base/open-store.ts";
import type { EntitiesSchema } from "./base/schema.ts";
import { remoteSignerProbe } from "./permit-keys/remote-signer-probe.ts";
import { entitiesSettings, entitiesUpstream, SERVICE } from "./settings.ts";
import { wrappedSecrets } from "./wrapped-secrets-store.ts";

/** Returns the checks of what the entities service needs. */
export function entitiesChecks(env: Env): readonly Probe[] {
  return [
    settingsProbe(() => entitiesSettings(env)),
    ownCertificateProbe(() => readRpcTls(env)),
    issuerKeysProbe(() => readCallerIssuer(env)),
    databaseProbe(ownStoreUse(env)),
    authProbe(() => upstreamAddress(env, entitiesUpstream(env, "auth"))),
    commitmentsProbe(() => upstreamAddress(env, entitiesUpstream(env, "commitments"))),
    indexerProbe(() => upstreamAddress(env, entitiesUpstream(env, "indexer"))),
    remoteSignerProbe(() => entitiesConfig(env).permitSigner),
    traceReceiverProbe(() => tracingConfig(env, SERVICE)),
  ];
}

/** Returns the checks of what `--migrate` needs. */
export function entitiesMigrationChecks(env: Env): readonly Probe[] {
  return [databaseProbe({ ...ownStoreUse(env), migrates: () => true, secrets: () => [] })];
}

/** Returns how the service uses its database. @param read its settings; throws ConfigError */
export function entitiesStoreUse(read: () => EntitiesConfig): StoreUse<EntitiesSchema> {
  return {
    store: () => read().store,
    missing: missingMigrations,
    migrates: () => read().migrateAtStart,
    secrets: (database) => {
      const { keyEncryptionKey, otherKeyEncryptionKey } = read();
      return wrappedSecrets({ database, derivedKeys: deriveKeys(keyEncryptionKey, otherKeyEncryptionKey) });
    },
  };
}

/** The database is checked even where other settings are wrong. */
function ownStoreUse(env: Env): StoreUse<EntitiesSchema> {
  return { ...entitiesStoreUse(() => entitiesConfig(env)), store: () => storeConfig(env) };
}
