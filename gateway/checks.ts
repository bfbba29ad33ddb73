import { COMMITMENTS_STREAM, SALE_UPDATED_SUBJECTS } from "../common/internal-api/commitment-subjects.ts";
import { natsConfig } from "../common/platform/bus/config.ts";
import type { NatsUse } from "../common/platform/checks/bus/judge-nats.ts";
import { natsProbe } from "../common/platform/checks/bus/nats-probe.ts";
import type { Probe } from "../common/platform/checks/run-probes.ts";
import { addressOf, serviceProbe } from "../common/platform/checks/services/service-probe.ts";
import { settingsProbe } from "../common/platform/checks/settings-probe.ts";
import type { Env } from "../common/platform/config/env.ts";
import { AuthorizationService } from "../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { SaleService } from "../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { EntityService } from "../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { IndexerService } from "../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { commitmentsUpstreamConfig, indexerUpstreamConfig } from "./config.ts";
import { gatewaySettings } from "./settings.ts";
import { authUpstreamConfig, entitiesUpstreamConfig } from "./web/sessions/auth-config.ts";

const NATS_USE: NatsUse = {
  stream: COMMITMENTS_STREAM,
  keepsStream: false,
  publishes: [],
  subscribes: [SALE_UPDATED_SUBJECTS],
};

/** Returns the checks of what the gateway needs. */
export function gatewayChecks(env: Env): readonly Probe[] {
  return [
    settingsProbe(() => gatewaySettings(env)),
    natsProbe(() => natsConfig(env), NATS_USE),
    serviceProbe({
      name: "commitments",
      variable: "COMMITMENTS_URL",
      read: () => addressOf(commitmentsUpstreamConfig(env)),
      method: SaleService.method.getSale,
    }),
    serviceProbe({
      name: "indexer",
      variable: "INDEXER_URL",
      read: () => addressOf(indexerUpstreamConfig(env)),
      method: IndexerService.method.checkSource,
    }),
    serviceProbe({
      name: "auth",
      variable: "AUTH_RPC_URL",
      read: () => addressOf(authUpstreamConfig(env)),
      method: AuthorizationService.method.getJwks,
    }),
    serviceProbe({
      name: "entities",
      variable: "ENTITIES_URL",
      read: () => addressOf(entitiesUpstreamConfig(env)),
      method: EntityService.method.getEntity,
    }),
  ];
}
