import { chainsProbe } from "../../common/chains/chains-probe.ts";
import { natsConfig } from "../../common/platform/bus/config.ts";
import { databaseProbe } from "../../common/platform/checks/database/database-probe.ts";
import { partProbe } from "../../common/platform/checks/part-probe.ts";
import type { Probe } from "../../common/platform/checks/run-probes.ts";
import { settingsProbe } from "../../common/platform/checks/settings-probe.ts";
import type { Env } from "../../common/platform/config/env.ts";
import { logLevel } from "../../common/platform/log/log.ts";
import { traceReceiverProbe } from "../../common/platform/tracing/otlp/receiver-probe.ts";
import { tracingConfig } from "../../common/platform/tracing/otlp/tracing-config.ts";
import { authStoreUse } from "../auth/checks.ts";
import { mailProbe } from "../auth/mail/mail-probe.ts";
import { commitmentsNatsProbe, commitmentsStoreUse } from "../commitments/checks.ts";
import { entitiesStoreUse } from "../entities/checks.ts";
import { remoteSignerProbe } from "../entities/permit-keys/remote-signer-probe.ts";
import { embeddedAuthConfig } from "./auth-config.ts";
import { embeddedCommitmentsConfig } from "./commitments-config.ts";
import { embeddedConfig } from "./config.ts";
import { embeddedEntitiesConfig } from "./entities-config.ts";
import { readKeyEncryptionKey } from "./key-encryption-key-file.ts";

const SERVICE = "tidemark";
/** The key until the start makes one: it opens nothing that is stored, as the new one won't. */
const NO_KEY = Buffer.alloc(32).toString("base64url");

/** Returns the checks of what the process needs: those of all services, without their calls of each other. */
export function embeddedChecks(env: Env): readonly Probe[] {
  const settings = () => embeddedSettings(env);
  return [
    settingsProbe(settings),
    partProbe("commitments", databaseProbe(commitmentsStoreUse(() => settings().commitments))),
    partProbe("auth", databaseProbe(authStoreUse(() => settings().auth))),
    partProbe("entities", databaseProbe(entitiesStoreUse(() => settings().entities))),
    commitmentsNatsProbe(env),
    mailProbe(() => settings().auth.mail),
    chainsProbe(() => settings().indexer.chains),
    remoteSignerProbe(() => settings().entities.permitSigner),
    traceReceiverProbe(() => tracingConfig(env, SERVICE)),
  ];
}

/** Reads all settings as the start does, but creates no key. @throws ConfigError naming the variable */
function embeddedSettings(env: Env) {
  const config = embeddedConfig(env);
  const keyOf = (dataDir: string) => readKeyEncryptionKey(dataDir) ?? NO_KEY;
  const auth = embeddedAuthConfig(env, config, config.gateway.port, keyOf).service;
  return {
    auth,
    commitments: embeddedCommitmentsConfig(config, keyOf),
    entities: embeddedEntitiesConfig(env, config, auth.issuer, keyOf),
    indexer: config.indexer,
    nats: natsConfig(env),
    tracing: tracingConfig(env, SERVICE),
    level: logLevel(env),
  };
}
