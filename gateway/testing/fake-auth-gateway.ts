import { Registry } from "prom-client";
import { Env } from "../../common/platform/config/env.ts";
import { Lifecycle } from "../../common/platform/lifecycle/lifecycle.ts";
import { startGateway } from "../composition.ts";
import { gatewayConfig } from "../config.ts";
import type { DashboardServices } from "../dashboard/base/dashboard-dependencies.ts";
import { authSurfaceConfig } from "../web/sessions/auth-config.ts";
import type { EntitiesUpstream } from "../web/sessions/entities-upstream.ts";
import { FakeAuth } from "./fake-auth.ts";
import { FakeCommitments } from "./fake-commitments.ts";
import { silentLogger as logger, openGatewayPort } from "./gateway-parts.ts";

/** A gateway on a free port, with a fake auth service and a fake commitments service behind it. */
export interface FakeAuthGateway {
  readonly fake: FakeAuth;
  readonly commitments: FakeCommitments;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  readonly port: number;
  /** Its metrics. */
  readonly registry: Registry;
  stop(): Promise<void>;
}

/**
 * @param variables settings; `AUTH_URL` is `http://localhost:8080` by default
 * @param dashboard services of the founder's pages; without them there are none of these pages
 * @param participation clients of the entities service; without them nobody takes part
 */
export async function startFakeAuthGateway(
  variables: Readonly<Record<string, string>> = {},
  dashboard?: DashboardServices,
  participation?: EntitiesUpstream,
): Promise<FakeAuthGateway> {
  const env = new Env({ GATEWAY_PORT: "0", AUTH_URL: "http://localhost:8080", ...variables });
  const [fake, commitments, lifecycle] = [new FakeAuth(), new FakeCommitments(), new Lifecycle({ logger })];
  const registry = new Registry();
  const config = gatewayConfig(env);
  const { server, counters } = await openGatewayPort(config);
  const { port } = server;
  startGateway({
    config,
    server,
    counters,
    commitments: commitments.client,
    auth: { config: authSurfaceConfig(env), clients: fake.clients, dashboard, participation },
    lifecycle,
    registry,
    logger,
  });
  return { fake, commitments, port, registry, origin: `http://127.0.0.1:${port}`, stop: () => lifecycle.stop() };
}
