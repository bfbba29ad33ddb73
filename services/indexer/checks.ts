import { chainsConfig } from "../../common/chains/chains-config.ts";
import { chainsProbe } from "../../common/chains/chains-probe.ts";
import { commitmentsProbe } from "../../common/internal-api/upstream-probes.ts";
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
import { commitmentsUpstream, indexerSettings, SERVICE } from "./settings.ts";

/** Returns the checks of what the indexer needs. */
export function indexerChecks(env: Env): readonly Probe[] {
  return [
    settingsProbe(() => indexerSettings(env)),
    ownCertificateProbe(() => readRpcTls(env)),
    issuerKeysProbe(() => readCallerIssuer(env)),
    commitmentsProbe(() => upstreamAddress(env, commitmentsUpstream(env))),
    chainsProbe(() => chainsConfig(env)),
    traceReceiverProbe(() => tracingConfig(env, SERVICE)),
  ];
}
