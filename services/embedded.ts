import process from "node:process";
import { createClient } from "@connectrpc/connect";
import { COMMITMENTS_STREAM } from "../common/internal-api/commitment-subjects.ts";
import { natsConfig } from "../common/platform/bus/config.ts";
import { openBus } from "../common/platform/bus/open-bus.ts";
import { checkTasks } from "../common/platform/checks/check-task.ts";
import { Env } from "../common/platform/config/env.ts";
import { requireWritableFolder } from "../common/platform/config/writable-folder.ts";
import { startAdminServer } from "../common/platform/lifecycle/admin-server.ts";
import { type MainLog, type OpenLifecycle, runMain } from "../common/platform/lifecycle/run-main.ts";
import { createLogger, logLevel } from "../common/platform/log/log.ts";
import { createMetrics } from "../common/platform/metrics/metrics.ts";
import { createRpcTransport } from "../common/platform/rpc/client/client.ts";
import {
  AUTH_AUDIENCE,
  COMMITMENTS_AUDIENCE,
  ENTITIES_AUDIENCE,
  INDEXER_AUDIENCE,
} from "../common/platform/rpc/identity/audiences.ts";
import { generateCallerKey } from "../common/platform/rpc/identity/caller-keys.ts";
import { openHttpListener } from "../common/platform/rpc/server/http-listener.ts";
import { startTracing } from "../common/platform/tracing/otlp/start-tracing.ts";
import { tracingConfig } from "../common/platform/tracing/otlp/tracing-config.ts";
import { identityCallbackUrl, startGateway } from "../gateway/composition.ts";
import { openHttpServer } from "../gateway/server.ts";
import { createAccessLog } from "../gateway/web/http/access-log.ts";
import { createCounters } from "../gateway/web/http/counters.ts";
import { entitiesUpstream } from "../gateway/web/sessions/entities-upstream.ts";
import { AccountService } from "../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { AuthorizationService } from "../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { ClientService } from "../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { MembershipService } from "../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { CommitmentService } from "../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { WebhookService } from "../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { EntityService } from "../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { PermitService } from "../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { IndexerService } from "../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { startAuthService } from "./auth/auth-service.ts";
import { authUpstream } from "./commitments/auth-upstream.ts";
import { startCommitmentsService } from "./commitments/commitments-service.ts";
import { indexedChain } from "./demo/chain/demo-chain.ts";
import { embeddedAuthConfig } from "./embedded/auth-config.ts";
import { embeddedCommitmentsConfig } from "./embedded/commitments-config.ts";
import { embeddedConfig, withChain, withOwnKeys } from "./embedded/config.ts";
import { embeddedEntitiesConfig } from "./embedded/entities-config.ts";
import { openMailPage } from "./embedded/mail-page-server.ts";
import { writeOperatorKey } from "./embedded/operator-key-file.ts";
import { welcome } from "./embedded/welcome.ts";
import { startEntitiesService } from "./entities/entities-service.ts";
import { entitiesActors, upstreamClients } from "./entities/upstream-clients.ts";
import { startIndexer } from "./indexer/indexer-service.ts";

const SERVICE = "tidemark";
/** The time-out of calls from one part of the process to another. */
const CALL_TIMEOUT_MS = 10_000;

/** Standard output is for people, and somebody who tries Tidemark out needn't read routine lines. */
const LOG: MainLog = { standardLevel: "warn", destination: process.stderr };

runMain(SERVICE, serve, {
  log: LOG,
  tasks: checkTasks(process.env, { checks: async () => (await import("./embedded/checks.ts")).embeddedChecks }),
});

/** Runs everything in one process: each service as it would run on its own, the gateway, and the demo sales. */
async function serve(openLifecycle: OpenLifecycle): Promise<void> {
  const env = new Env(process.env);
  const config = embeddedConfig(env);
  const logger = createLogger({ service: SERVICE, level: logLevel(env, LOG.standardLevel), ...LOG });
  const nats = natsConfig(env);
  const tracing = tracingConfig(env, SERVICE);
  const lifecycle = openLifecycle({ logger });
  const registry = createMetrics({ service: SERVICE });
  const shared = { lifecycle, registry, logger };
  const { host } = config.gateway;
  const { stopping } = lifecycle;
  // All ports are opened before anything else is opened or written. Each part finds the others by their ports.
  const listenerAt = (variable: string, port: number) => openHttpListener({ host, port, variable, stopping, logger });
  const commitmentsListener = await listenerAt("COMMITMENTS_PORT", config.commitmentsPort);
  const indexerListener = await listenerAt("INDEXER_PORT", config.indexerPort);
  const authListener = await listenerAt("AUTH_PORT", config.authPort);
  const entitiesListener = await listenerAt("ENTITIES_PORT", config.entitiesPort);
  const counters = createCounters();
  const { port: gatewayPort, http, trustedProxies, accessLog: accessLogged } = config.gateway;
  const accessLog = accessLogged && createAccessLog(accessLogged, { logger });
  const gatewayPortOptions = { host, port: gatewayPort, config: http, trustedProxies, counters, accessLog, stopping };
  const gatewayServer = await openHttpServer(gatewayPortOptions);
  const admin = await startAdminServer({ host, port: config.adminPort, ...shared });
  lifecycle.onStop("admin http", () => admin.close());
  const mailPage = config.mailPage ? await openMailPage(config.mailPagePort) : undefined;
  if (mailPage !== undefined) lifecycle.onStop("mail page", (deadline) => mailPage.stop(deadline));
  requireWritableFolder("DATA_DIR", config.dataDir);
  const mailFolder = env.optionalString("MAIL_DIR");
  if (mailFolder !== undefined) requireWritableFolder("MAIL_DIR", mailFolder);
  // The last configurations, as they create a key if there is none.
  const auth = embeddedAuthConfig(env, config, gatewayServer.port);
  mailPage?.serve(auth.service.mail, logger);
  const entities = embeddedEntitiesConfig(env, config, auth.service.issuer);
  const commitments = embeddedCommitmentsConfig(config);
  await startTracing({ config: tracing, ...shared });
  const bus = await openBus({ nats, stream: COMMITMENTS_STREAM, name: SERVICE, logger, registry });
  lifecycle.onStop("bus", (deadline) => bus.close(deadline));
  const ownKey = () => generateCallerKey().key;
  const keys = {
    gateway: ownKey(),
    indexer: ownKey(),
    auth: ownKey(),
    commitments: ownKey(),
    entities: ownKey(),
    operator: ownKey(),
  };
  const callerKeys = withOwnKeys(config.callerKeys, keys);
  const transportOf = (name: keyof typeof keys, baseUrl: string, audience: string) => {
    const caller = { name, key: keys[name], audience };
    return createRpcTransport({ baseUrl, caller, registry, logger, defaultTimeoutMs: CALL_TIMEOUT_MS });
  };
  const authTransportOf = (name: keyof typeof keys) => transportOf(name, authListener.url, AUTH_AUDIENCE);
  const rpc = await startCommitmentsService({
    config: commitments,
    listener: commitmentsListener,
    callerKeys,
    auth: authUpstream({ transport: authTransportOf("commitments"), issuer: auth.service.issuer, registry, logger }),
    indexer: createClient(IndexerService, transportOf("commitments", indexerListener.url, INDEXER_AUDIENCE)),
    permits: createClient(PermitService, transportOf("commitments", entitiesListener.url, ENTITIES_AUDIENCE)),
    bus,
    ...shared,
  });
  lifecycle.onStop("operator key", await writeOperatorKey(config.dataDir, keys.operator));
  const clientOf = (name: keyof typeof keys) => {
    const transport = transportOf(name, rpc.url, COMMITMENTS_AUDIENCE);
    return {
      sales: createClient(SaleService, transport),
      commitments: createClient(CommitmentService, transport),
      webhooks: createClient(WebhookService, transport),
    };
  };
  const { sales } = clientOf("auth");
  const authRpc = await startAuthService({
    config: auth.service,
    listener: authListener,
    callerKeys,
    sales,
    entities: createClient(EntityService, transportOf("auth", entitiesListener.url, ENTITIES_AUDIENCE)),
    ...(process.stdout.isTTY && { terminal: process.stdout }),
    ...shared,
  });
  const entitiesUpstreams = upstreamClients({
    auth: authTransportOf("entities"),
    commitments: transportOf("entities", rpc.url, COMMITMENTS_AUDIENCE),
    indexer: transportOf("entities", indexerListener.url, INDEXER_AUDIENCE),
  });
  const entitiesRpc = await startEntitiesService({
    config: entities,
    listener: entitiesListener,
    callerKeys,
    upstreams: entitiesUpstreams,
    actors: entitiesActors(entitiesUpstreams, { issuer: entities.issuer, registry, logger }),
    ...shared,
  });
  const authTransport = authTransportOf("gateway");
  const identityCallbacks = entities.identity.vendor !== undefined;
  startGateway({
    config: { ...config.gateway, identityCallbacks },
    server: gatewayServer,
    counters,
    commitments: clientOf("gateway").commitments,
    auth: {
      config: auth.surface,
      clients: {
        accounts: createClient(AccountService, authTransport),
        authorization: createClient(AuthorizationService, authTransport),
        clients: createClient(ClientService, authTransport),
        memberships: createClient(MembershipService, authTransport),
      },
      entitiesUpstream: entitiesUpstream(transportOf("gateway", entitiesRpc.url, ENTITIES_AUDIENCE)),
      dashboard: {
        sales: clientOf("gateway").sales,
        webhooks: clientOf("gateway").webhooks,
        commitments: clientOf("gateway").commitments,
        indexer: createClient(IndexerService, transportOf("gateway", indexerListener.url, INDEXER_AUDIENCE)),
      },
    },
    bus,
    ...shared,
  });
  const clients = createClient(ClientService, authTransportOf("operator"));
  const { issuer } = auth.service;
  // Loaded only if the demo is on.
  const prepareDemo = config.demo ? (await import("./demo/demo.ts")).prepareDemo : undefined;
  const operatorEntities = entitiesUpstream(transportOf("operator", entitiesRpc.url, ENTITIES_AUDIENCE));
  const publicServer = { url: auth.surface.publicBaseUrl, prefix: config.gateway.publicPathPrefix };
  const demoClients = { ...clientOf("operator"), clients, entitiesUpstream: operatorEntities };
  const demo = await prepareDemo?.({ ...config, ...demoClients, issuer, publicServer, logger });
  if (demo !== undefined) lifecycle.onStop("demo application", (deadline) => demo.application.stop(deadline));
  const chain = demo?.chain;
  if (chain?.running) lifecycle.onStop("demo chain", (deadline) => chain.stop(deadline));
  const indexer = await startIndexer({
    config: chain?.running ? withChain(config.indexer, indexedChain(chain)) : config.indexer,
    client: clientOf("indexer"),
    listener: indexerListener,
    callerKeys,
    ...(demo && { onAnswering: () => demo.open() }),
    ...shared,
  });
  if (demo !== undefined) lifecycle.onStop("demo", await demo.start());
  lifecycle.markReady();
  const ports = {
    gateway: gatewayServer.port,
    admin: admin.port,
    rpc: rpc.port,
    indexer: indexer.port,
    auth: authRpc.port,
    entities: entitiesRpc.port,
  };
  process.stdout.write(
    welcome({
      ...config,
      auth: auth.service,
      isTerminal: process.stdout.isTTY,
      host,
      ports,
      ...(mailPage && { mailPageUrl: mailPage.url }),
      ...(identityCallbacks && { identityCallbackUrl: identityCallbackUrl(config.gateway, auth.surface) }),
      ...(demo && { runningDemo: demo }),
    }),
  );
}
