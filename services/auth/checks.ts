import { commitmentsProbe, entitiesProbe } from "../../common/internal-api/upstream-probes.ts";
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
import { type AuthConfig, authConfig, storeConfig } from "./base/config.ts";
import { deriveKeys } from "./base/derived-keys.ts";
import { missingMigrations } from "./base/open-store.ts";
import type { AuthSchema } from "./base/schema.ts";
import { wrappedKeys } from "./keys/wrapped-keys-store.ts";
import { mailProbe } from "./mail/mail-probe.ts";
import { authSettings, commitmentsUpstream, entitiesUpstream, SERVICE } from "./settings.ts";

/** Returns the checks of what the auth service needs. */
export function authChecks(env: Env): readonly Probe[] {
  return [
    settingsProbe(() => authSettings(env)),
    ownCertificateProbe(() => readRpcTls(env)),
    issuerKeysProbe(() => readCallerIssuer(env)),
    databaseProbe(ownStoreUse(env)),
    mailProbe(() => authConfig(env).mail),
    commitmentsProbe(() => upstreamAddress(env, commitmentsUpstream(env))),
    entitiesProbe(() => upstreamAddress(env, entitiesUpstream(env))),
    traceReceiverProbe(() => tracingConfig(env, SERVICE)),
  ];
}

/** Returns the checks of what `--migrate` needs. */
export function authMigrationChecks(env: Env): readonly Probe[] {
  return [databaseProbe({ ...ownStoreUse(env), migrates: () => true, secrets: () => [] })];
}

/** Returns how the service uses its database. @param read its settings; throws ConfigError */
export function authStoreUse(read: () => AuthConfig): StoreUse<AuthSchema> {
  return {
    store: () => read().store,
    missing: missingMigrations,
    migrates: () => read().migrateAtStart,
    secrets: (database) => {
      const { keyEncryptionKey, otherKeyEncryptionKey } = read();
      return wrappedKeys({ database, derivedKeys: deriveKeys(keyEncryptionKey, otherKeyEncryptionKey) });
    },
  };
}

/** The database is checked even where other settings are wrong. */
function ownStoreUse(env: Env): StoreUse<AuthSchema> {
  return { ...authStoreUse(() => authConfig(env)), store: () => storeConfig(env) };
}
