import {
  COMMITMENTS_STREAM,
  OUTBOX_SIGNAL,
  SALE_UPDATED_SUBJECTS,
} from "../../common/internal-api/commitment-subjects.ts";
import { authProbe, entitiesProbe, indexerProbe } from "../../common/internal-api/upstream-probes.ts";
import { natsConfig } from "../../common/platform/bus/config.ts";
import type { NatsUse } from "../../common/platform/checks/bus/judge-nats.ts";
import { natsProbe } from "../../common/platform/checks/bus/nats-probe.ts";
import { databaseProbe, type StoreUse } from "../../common/platform/checks/database/database-probe.ts";
import { ownCertificateProbe } from "../../common/platform/checks/own-certificate-probe.ts";
import type { Probe } from "../../common/platform/checks/run-probes.ts";
import { issuerKeysProbe } from "../../common/platform/checks/services/issuer-keys-probe.ts";
import { addressOf } from "../../common/platform/checks/services/service-probe.ts";
import { settingsProbe } from "../../common/platform/checks/settings-probe.ts";
import type { Env } from "../../common/platform/config/env.ts";
import { readCallerIssuer } from "../../common/platform/rpc/identity/caller-config.ts";
import { readRpcTls } from "../../common/platform/rpc/identity/rpc-tls.ts";
import { traceReceiverProbe } from "../../common/platform/tracing/otlp/receiver-probe.ts";
import { tracingConfig } from "../../common/platform/tracing/otlp/tracing-config.ts";
import type { CommitmentsSchema } from "./base/schema.ts";
import {
  authUpstreamConfig,
  type CommitmentsConfig,
  commitmentsConfig,
  entitiesUpstreamConfig,
  indexerUpstreamConfig,
} from "./config.ts";
import { missingMigrations } from "./open-store.ts";
import { commitmentsSettings, SERVICE } from "./settings.ts";
import { EndpointSecrets, wrappedSecrets } from "./webhooks/wrapped-secrets-store.ts";

/** Use of NATS by the service: the outbox publishes, and each process is notified of the others' revisions. */
const NATS_USE: NatsUse = {
  stream: COMMITMENTS_STREAM,
  keepsStream: true,
  publishes: [SALE_UPDATED_SUBJECTS, OUTBOX_SIGNAL],
  subscribes: [SALE_UPDATED_SUBJECTS, OUTBOX_SIGNAL],
};

/** Returns the checks of what the commitments service needs. */
export function commitmentsChecks(env: Env): readonly Probe[] {
  return [
    settingsProbe(() => commitmentsSettings(env)),
    ownCertificateProbe(() => readRpcTls(env)),
    issuerKeysProbe(() => readCallerIssuer(env)),
    databaseProbe(commitmentsStoreUse(() => commitmentsConfig(env))),
    commitmentsNatsProbe(env),
    authProbe(() => addressOf(authUpstreamConfig(env))),
    indexerProbe(() => addressOf(indexerUpstreamConfig(env))),
    entitiesProbe(() => addressOf(entitiesUpstreamConfig(env))),
    traceReceiverProbe(() => tracingConfig(env, SERVICE)),
  ];
}

/** Returns the checks of what `--migrate` needs. */
export function commitmentsMigrationChecks(env: Env): readonly Probe[] {
  return [
    databaseProbe({ ...commitmentsStoreUse(() => commitmentsConfig(env)), migrates: () => true, secrets: () => [] }),
  ];
}

/** Returns how the service uses its database. @param read its settings; throws ConfigError */
export function commitmentsStoreUse(read: () => CommitmentsConfig): StoreUse<CommitmentsSchema> {
  return {
    store: () => read().store,
    missing: missingMigrations,
    migrates: () => read().migrateAtStart,
    secrets: (database) => {
      const { keyEncryptionKey, otherKeyEncryptionKey } = read().webhooks;
      if (keyEncryptionKey === undefined) return [];
      return wrappedSecrets(database, new EndpointSecrets(keyEncryptionKey, otherKeyEncryptionKey));
    },
  };
}

/** Returns the check of NATS, if it is used. */
export function commitmentsNatsProbe(env: Env): Probe {
  return natsProbe(() => natsConfig(env), NATS_USE);
}
