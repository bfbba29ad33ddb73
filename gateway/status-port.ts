import type { Registry } from "prom-client";
import type { Env } from "../common/platform/config/env.ts";
import type { Lifecycle } from "../common/platform/lifecycle/lifecycle.ts";
import type { Logger } from "../common/platform/log/log.ts";
import { GATEWAY_AUDIENCE } from "../common/platform/rpc/identity/audiences.ts";
import { callerAuthenticator, type KnownCallers } from "../common/platform/rpc/identity/caller-authenticator.ts";
import { readKnownCallers } from "../common/platform/rpc/identity/caller-config.ts";
import { type RpcTls, readRpcTls } from "../common/platform/rpc/identity/rpc-tls.ts";
import { serveHealth } from "../common/platform/rpc/server/health.ts";
import { openHttpListener } from "../common/platform/rpc/server/http-listener.ts";
import { createRequestGate } from "../common/platform/rpc/server/request-gate.ts";
import { type RpcServer, startRpcServer } from "../common/platform/rpc/server/server.ts";
import { STATUS_CALLERS, serveStatus } from "../common/platform/rpc/server/status.ts";
import { StatusService } from "../proto/gen/tidemark/status/v1/status_service_pb.ts";

/** The port on which the gateway answers the operator. It has nothing to do with the public one. */
export interface StatusPortConfig {
  readonly port: number;
  readonly callers: KnownCallers;
  readonly tls: RpcTls | undefined;
}

/** Reads `GATEWAY_RPC_PORT` and who may call there. Undefined without it. @throws ConfigError naming the variable */
export function statusPortConfig(env: Env): StatusPortConfig | undefined {
  if (!env.isSet("GATEWAY_RPC_PORT")) return undefined;
  const port = env.integer("GATEWAY_RPC_PORT", { min: 0, max: 65_535 });
  return { port, callers: readKnownCallers(env), tls: readRpcTls(env) };
}

export interface StatusPortOptions {
  readonly host: string;
  readonly lifecycle: Lifecycle;
  readonly registry: Registry;
  readonly logger: Logger;
}

/**
 * Serves the status of this process by RPC, for the operator's key or token only. It stops with the lifecycle.
 *
 * @throws ConfigError if it can't listen on the port
 */
export async function startStatusPort(
  { port, callers, tls }: StatusPortConfig,
  { host, lifecycle, registry, logger }: StatusPortOptions,
): Promise<RpcServer> {
  const { stopping } = lifecycle;
  const listener = await openHttpListener({ host, port, variable: "GATEWAY_RPC_PORT", tls, stopping, logger });
  // The public read doesn't wait for the keys by which only the operator is recognised.
  const apart = { stopping, addReadinessCheck: () => {} };
  const authenticator = callerAuthenticator({ ...callers, lifecycle: apart, registry, logger }, GATEWAY_AUDIENCE);
  const server = startRpcServer({
    listener,
    routes: (router) => {
      serveStatus(router, { lifecycle, registry });
      serveHealth(router, { lifecycle, services: [StatusService.typeName] });
    },
    gate: createRequestGate({ authenticator, allowed: STATUS_CALLERS }),
    logger,
  });
  lifecycle.onStop("status rpc", (deadline) => server.close(deadline));
  return server;
}
