import type { DescMethodUnary } from "@bufbuild/protobuf";
import { databaseProbe, type StoreUse } from "../../common/platform/checks/database/database-probe.ts";
import { ownCertificateProbe } from "../../common/platform/checks/own-certificate-probe.ts";
import type { Probe } from "../../common/platform/checks/run-probes.ts";
import { serviceProbe } from "../../common/platform/checks/services/service-probe.ts";
import { settingsProbe } from "../../common/platform/checks/settings-probe.ts";
import type { Env } from "../../common/platform/config/env.ts";
import { readRpcCa, readRpcTls } from "../../common/platform/rpc/identity/rpc-tls.ts";
import { AuthorizationService } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { IndexerService } from "../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { entitiesConfig, storeConfig } from "./base/config.ts";
import { deriveKeys } from "./base/derived-keys.ts";
import { missingMigrations, openStore } from "./base/open-store.ts";
import type { EntitiesSchema } from "./base/schema.ts";
import { entitiesSettings, entitiesUpstream, UPSTREAMS } from "./settings.ts";
import { wrappedSecrets } from "./wrapped-secrets-store.ts";

/** Returns the checks of what the entities service needs. */
export function entitiesChecks(env: Env): readonly Probe[] {
  const called = (name: keyof typeof UPSTREAMS, method: DescMethodUnary) =>
    serviceProbe({
      name,
      variable: UPSTREAMS[name][0],
      read: () => {
        const { baseUrl, caller } = entitiesUpstream(env, name);
        return { urls: baseUrl, caller, ca: readRpcCa(env) };
      },
      method,
    });
  return [
    settingsProbe(() => entitiesSettings(env)),
    ownCertificateProbe(() => readRpcTls(env)),
    databaseProbe(storeUse(env)),
    called("auth", AuthorizationService.method.getJwks),
    called("commitments", SaleService.method.getSale),
    called("indexer", IndexerService.method.checkSource),
  ];
}

/** Returns the checks of what `--migrate` needs. */
export function entitiesMigrationChecks(env: Env): readonly Probe[] {
  return [databaseProbe({ ...storeUse(env), migrates: () => true, secrets: () => [] })];
}

function storeUse(env: Env): StoreUse<EntitiesSchema> {
  return {
    store: () => storeConfig(env),
    open: openStore,
    missing: missingMigrations,
    migrates: () => entitiesConfig(env).migrateAtStart,
    secrets: (database) => {
      const { keyEncryptionKey, otherKeyEncryptionKey } = entitiesConfig(env);
      return wrappedSecrets({ database, derivedKeys: deriveKeys(keyEncryptionKey, otherKeyEncryptionKey) });
    },
  };
}
