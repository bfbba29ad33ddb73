import { Registry } from "prom-client";
import type { Bus } from "../../../common/platform/bus/bus.ts";
import { Env } from "../../../common/platform/config/env.ts";
import { Lifecycle } from "../../../common/platform/lifecycle/lifecycle.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { startGateway } from "../../../gateway/composition.ts";
import { gatewayConfig } from "../../../gateway/config.ts";
import { openGatewayPort } from "../../../gateway/testing/gateway-parts.ts";
import type { CommitmentsFixture } from "./commitments-fixture.ts";

/** The public read in this process. */
export interface PublicGateway {
  readonly origin: string;
  stop(): Promise<void>;
}

/** Starts a gateway without sign-in in front of a commitments service. @param bus that of the service */
export async function startPublicGateway(service: CommitmentsFixture, bus: Bus): Promise<PublicGateway> {
  const { logger } = captureLog();
  const lifecycle = new Lifecycle({ logger });
  const config = gatewayConfig(new Env({ GATEWAY_PORT: "0" }));
  const { server, counters } = await openGatewayPort(config);
  const { commitments } = service.as("gateway");
  startGateway({ config, server, counters, commitments, bus, lifecycle, registry: new Registry(), logger });
  return { origin: `http://127.0.0.1:${server.port}`, stop: () => lifecycle.stop() };
}
