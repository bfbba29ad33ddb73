import { ownCertificateProbe } from "../../common/platform/checks/own-certificate-probe.ts";
import type { Probe } from "../../common/platform/checks/run-probes.ts";
import { serviceProbe } from "../../common/platform/checks/services/service-probe.ts";
import { settingsProbe } from "../../common/platform/checks/settings-probe.ts";
import type { Env } from "../../common/platform/config/env.ts";
import { readRpcCa, readRpcTls } from "../../common/platform/rpc/identity/rpc-tls.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { commitmentsUpstream, indexerSettings } from "./settings.ts";

/** Returns the checks of what the indexer needs. */
export function indexerChecks(env: Env): readonly Probe[] {
  return [
    settingsProbe(() => indexerSettings(env)),
    ownCertificateProbe(() => readRpcTls(env)),
    serviceProbe({
      name: "commitments",
      variable: "COMMITMENTS_URL",
      read: () => {
        const { baseUrl, caller } = commitmentsUpstream(env);
        return { urls: baseUrl, caller, ca: readRpcCa(env) };
      },
      method: SaleService.method.getSale,
    }),
  ];
}
