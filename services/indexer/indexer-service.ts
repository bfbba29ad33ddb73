import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import process from "node:process";
import type { Registry } from "prom-client";
import type { ChainConnection } from "../../common/contracts/chain-connection.ts";
import { ChainConnections } from "../../common/contracts/connecting/chain-connections.ts";
import { noSecondQuestions } from "../../common/contracts/second-questions.ts";
import { saleAttributes } from "../../common/internal-api/sale-of-call.ts";
import type { ClockWatch } from "../../common/platform/clock/clock-watch.ts";
import { Semaphore } from "../../common/platform/concurrency/semaphore.ts";
import type { Lifecycle } from "../../common/platform/lifecycle/lifecycle.ts";
import type { Logger } from "../../common/platform/log/log.ts";
import { INDEXER_AUDIENCE } from "../../common/platform/rpc/identity/audiences.ts";
import { callerAuthenticator, type KnownCallers } from "../../common/platform/rpc/identity/caller-authenticator.ts";
import { serveHealth } from "../../common/platform/rpc/server/health.ts";
import type { HttpListener } from "../../common/platform/rpc/server/http-listener.ts";
import { createRequestGate } from "../../common/platform/rpc/server/request-gate.ts";
import { type RpcServer, startRpcServer } from "../../common/platform/rpc/server/server.ts";
import { serveStatus } from "../../common/platform/rpc/server/status.ts";
import { IndexerService } from "../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import type { IndexerConfig } from "./config.ts";
import {
  type ChainNodes,
  createIndexerMetrics,
  exposeFinality,
  exposeNodeHeads,
  exposeSecondQuestions,
} from "./follow/indexer-metrics.ts";
import { SaleAssignments } from "./follow/sale-assignments.ts";
import { SaleLeases } from "./follow/sale-leases.ts";
import { SaleWorker } from "./follow/sale-worker.ts";
import { accountSignatureChecks } from "./rpc/check-account-signature.ts";
import { finalityChecks } from "./rpc/check-finality.ts";
import { signerChecks } from "./rpc/check-permit-signer.ts";
import { tokenChecks } from "./rpc/check-tokens.ts";
import { ExitReads } from "./rpc/exit-reads.ts";
import { ALLOWED_CALLERS, indexerRoutes } from "./rpc/routes.ts";
import { SourceChecks } from "./rpc/source-checks.ts";
import type { CommitmentsClient } from "./sending/commitments-client.ts";
import { joinCalls } from "./sending/joined-calls.ts";

export interface IndexerOptions extends KnownCallers {
  readonly config: IndexerConfig;
  readonly client: CommitmentsClient;
  /** `INDEXER_PORT`. */
  readonly listener: HttpListener;
  /** Refuses calls while the clock of this process is far off. Absent where all services share a process. */
  readonly clockWatch?: ClockWatch;
  /** Called once the indexer answers, before it reads sales: those that are opened then are read at once. */
  readonly onAnswering?: () => Promise<void>;
  readonly lifecycle: Lifecycle;
  readonly registry: Registry;
  readonly logger: Logger;
}

/** Starts the indexer in this process. It stops with the lifecycle. */
export async function startIndexer(options: IndexerOptions): Promise<RpcServer> {
  const { config, lifecycle } = options;
  const connections = await ChainConnections.open(config.chains, (chain, problem) => {
    options.logger.warn({ chain, problem }, "a node doesn't do what it is needed for");
  });
  lifecycle.onStop("chains", () => connections.close());
  const server = startServer(options, connections);
  lifecycle.onStop("indexer rpc", (deadline) => server.close(deadline));
  await options.onAnswering?.();
  const assignments = startAssignments(options, connections);
  lifecycle.onStop("sales", () => assignments.stop());
  lifecycle.addReadinessCheck("commitments", () => assignments.status());
  return server;
}

function startAssignments(options: IndexerOptions, connections: ChainConnections): SaleAssignments {
  const { config, logger } = options;
  const client = joinCalls(options.client);
  const metrics = createIndexerMetrics(options.registry);
  const names = connections.names();
  const chains = () => names.map((chain) => chainNodes(chain, connections.get(chain)));
  exposeNodeHeads(options.registry, chains);
  exposeFinality(options.registry, chains);
  exposeSecondQuestions(options.registry, chains);
  // One semaphore a chain: if a chain's nodes hang, only its own sales wait.
  const byChain = new Map(config.chains.map(({ name }) => [name, new Semaphore(config.maxConcurrentReads)]));
  const elsewhere = new Semaphore(config.maxConcurrentReads);
  const holder = `${hostname()}/${process.pid}/${randomUUID()}`;
  const { leaseMs, maxRows, salesIntervalMs: intervalMs } = config;
  const leases = new SaleLeases({ client, holder, durationMs: leaseMs });
  return new SaleAssignments({
    client,
    intervalMs,
    logger,
    metrics,
    startWorker: (sale) => {
      const chain = connections.get(sale.chain);
      const own = { chain, semaphore: byChain.get(sale.chain) ?? elsewhere };
      return new SaleWorker({ client, ...own, leases, leaseMs, maxRows, logger, metrics }, sale);
    },
  });
}

function chainNodes(chain: string, connection: ChainConnection): ChainNodes {
  return {
    chain,
    heads: connection.nodeHeads(),
    isFinalContradicted: connection.isFinalContradicted?.() ?? false,
    secondQuestions: connection.secondQuestions?.() ?? noSecondQuestions(),
  };
}

function startServer(options: IndexerOptions, connections: ChainConnections): RpcServer {
  const { listener, clockWatch, lifecycle, registry, logger } = options;
  const authenticator = callerAuthenticator(options, INDEXER_AUDIENCE);
  const checks = {
    sources: new SourceChecks(connections),
    tokens: tokenChecks(connections),
    signers: signerChecks(connections),
    accountSignatures: accountSignatureChecks(connections),
    finality: finalityChecks(connections),
    exits: new ExitReads(connections),
  };
  lifecycle.onStop("checks of sources", async () => {
    for (const each of Object.values(checks)) each.close();
  });
  const routes = indexerRoutes(connections, checks);
  return startRpcServer({
    listener,
    routes: (router) => {
      routes(router);
      serveStatus(router, { lifecycle, registry });
      serveHealth(router, { lifecycle, services: [IndexerService.typeName] });
    },
    gate: createRequestGate({ authenticator, allowed: ALLOWED_CALLERS, refusal: () => clockWatch?.refusal() }),
    logger,
    registry,
    requestAttributes: saleAttributes,
  });
}
