import { commitmentsProbe } from "../../common/internal-api/upstream-probes.ts";
import { ownCertificateProbe } from "../../common/platform/checks/own-certificate-probe.ts";
import type { Probe } from "../../common/platform/checks/run-probes.ts";
import { upstreamAddress } from "../../common/platform/checks/services/service-probe.ts";
import { settingsProbe } from "../../common/platform/checks/settings-probe.ts";
import type { Env } from "../../common/platform/config/env.ts";
import { readRpcTls } from "../../common/platform/rpc/identity/rpc-tls.ts";
import { commitmentsUpstream, indexerSettings } from "./settings.ts";

/** Returns the checks of what the indexer needs. */
export function indexerChecks(env: Env): readonly Probe[] {
  return [
    settingsProbe(() => indexerSettings(env)),
    ownCertificateProbe(() => readRpcTls(env)),
    commitmentsProbe(() => upstreamAddress(env, commitmentsUpstream(env))),
  ];
}
