import { COMMITMENTS_STREAM, SALE_UPDATED_SUBJECTS } from "../common/internal-api/commitment-subjects.ts";
import { authProbe, commitmentsProbe, entitiesProbe, indexerProbe } from "../common/internal-api/upstream-probes.ts";
import { natsConfig } from "../common/platform/bus/config.ts";
import type { NatsUse } from "../common/platform/checks/bus/judge-nats.ts";
import { natsProbe } from "../common/platform/checks/bus/nats-probe.ts";
import { ownCertificateProbe } from "../common/platform/checks/own-certificate-probe.ts";
import type { Probe } from "../common/platform/checks/run-probes.ts";
import { issuerKeysProbe } from "../common/platform/checks/services/issuer-keys-probe.ts";
import { addressOf } from "../common/platform/checks/services/service-probe.ts";
import { settingsProbe } from "../common/platform/checks/settings-probe.ts";
import type { Env } from "../common/platform/config/env.ts";
import { traceReceiverProbe } from "../common/platform/tracing/otlp/receiver-probe.ts";
import { tracingConfig } from "../common/platform/tracing/otlp/tracing-config.ts";
import { EntityService } from "../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { commitmentsUpstreamConfig, indexerUpstreamConfig } from "./config.ts";
import { gatewaySettings, SERVICE } from "./settings.ts";
import { statusPortConfig } from "./status-port.ts";
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
    ownCertificateProbe(() => statusPortConfig(env)?.tls),
    issuerKeysProbe(() => statusPortConfig(env)?.callers.callerIssuer),
    natsProbe(() => natsConfig(env), NATS_USE),
    commitmentsProbe(() => addressOf(commitmentsUpstreamConfig(env))),
    indexerProbe(() => addressOf(indexerUpstreamConfig(env))),
    authProbe(() => addressOf(authUpstreamConfig(env))),
    entitiesProbe(() => addressOf(entitiesUpstreamConfig(env)), EntityService.method.getEntity),
    traceReceiverProbe(() => tracingConfig(env, SERVICE)),
  ];
}
