import { type Client, createClient } from "@connectrpc/connect";
import { Registry } from "prom-client";
import type { Bus } from "../../../common/platform/bus/bus.ts";
import { LocalBus } from "../../../common/platform/bus/local-bus.ts";
import { Env } from "../../../common/platform/config/env.ts";
import { Lifecycle } from "../../../common/platform/lifecycle/lifecycle.ts";
import { createRpcTransport } from "../../../common/platform/rpc/client/client.ts";
import { COMMITMENTS_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { type CallerCredentials, generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { openHttpListener } from "../../../common/platform/rpc/server/http-listener.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { WebhookService } from "../../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import { SecretService } from "../../../proto/gen/tidemark/secrets/v1/secret_service_pb.ts";
import type { CommitmentsAuth } from "../../../services/commitments/auth-upstream.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";
import { startCommitmentsService } from "../../../services/commitments/commitments-service.ts";
import { type CommitmentsConfig, commitmentsConfig } from "../../../services/commitments/config.ts";
import { openStore } from "../../../services/commitments/open-store.ts";
import type { PermitsClient } from "../../../services/commitments/sales/entities-sale-permits.ts";
import type { IndexerClient } from "../../../services/commitments/sales/indexer-source-checker.ts";
import { storeConfig } from "../databases/commitments-database.ts";
import type { DatabaseVariant, TestDatabase } from "../databases/databases.ts";
import { actingTransport } from "./acting-transport.ts";
import { describeService } from "./describe-service.ts";

/** `stranger` has a key, but no method is open to it. */
const CALLERS = ["gateway", "indexer", "auth", "entities", "feeder", "operator", "stranger"] as const;
export type CallerName = (typeof CALLERS)[number];

const CALL_TIMEOUT_MS = 60_000;

export interface CommitmentsClients {
  readonly sales: Client<typeof SaleService>;
  readonly commitments: Client<typeof CommitmentService>;
}

/** The clients of all RPCs of the service. */
export interface AllCommitmentsClients extends CommitmentsClients {
  readonly webhooks: Client<typeof WebhookService>;
  readonly secrets: Client<typeof SecretService>;
}

/** A commitments service in this process. Its own clients are an operator's, who may call every method. */
export interface CommitmentsFixture extends AllCommitmentsClients {
  readonly url: string;
  readonly port: number;
  readonly credentials: Readonly<Record<CallerName, CallerCredentials>>;
  /** @param actorToken for whom the caller calls. */
  as(caller: CallerName, actorToken?: string): AllCommitmentsClients;
  /** A connection of its own to the service's database. */
  readonly database: CommitmentsDatabase;
  stop(): Promise<void>;
}

export interface FixtureOptions extends Partial<Omit<CommitmentsConfig, "store">> {
  /** Client of the auth service. Without it only operators decide about sales. */
  readonly auth?: CommitmentsAuth;
  /** Client of the indexer. Without it a sale with a source opens only by an override. */
  readonly indexer?: IndexerClient;
  /** Client of the entities service. Without it no sale has permits. */
  readonly permits?: PermitsClient;
  /** One of its own by default. */
  readonly bus?: Bus;
}

/** Starts the service on a database; several may share one. */
export async function startCommitments(
  testDatabase: TestDatabase,
  { auth, indexer, permits, bus = new LocalBus(), ...options }: FixtureOptions = {},
): Promise<CommitmentsFixture> {
  const { logger } = captureLog();
  const lifecycle = new Lifecycle({ logger });
  const config = { ...commitmentsConfig(new Env({})), ...options, store: storeConfig(testDatabase) };
  const credentials = generateCredentials();
  const callerKeys = new Map(Object.values(credentials).map(({ name, key }) => [name, [key]]));
  const listener = await openHttpListener({ host: "127.0.0.1", port: 0, logger });
  const registry = new Registry();
  const shared = { bus, lifecycle, registry, logger };
  const upstreams = { ...(auth && { auth }), ...(indexer && { indexer }), ...(permits && { permits }) };
  const server = await startCommitmentsService({ config, listener, callerKeys, ...upstreams, ...shared });
  lifecycle.markReady();
  const database = await openStore(config.store);
  const clientsOf = (caller: CallerName, actorToken?: string) =>
    clientsFor(server.url, credentials[caller], actorToken);
  return {
    ...clientsOf("operator"),
    url: server.url,
    port: server.port,
    credentials,
    as: clientsOf,
    database,
    stop: async () => {
      await database.close();
      await lifecycle.stop();
    },
  };
}

/** Declares tests once for each kind of database, against a service of their own. */
export function describeCommitments(
  title: string,
  tests: (service: () => CommitmentsFixture, variant: DatabaseVariant) => void,
  options: FixtureOptions = {},
): void {
  describeService(title, (database) => startCommitments(database, options), tests);
}

function clientsFor(baseUrl: string, caller: CallerCredentials, actorToken?: string): AllCommitmentsClients {
  const own = createRpcTransport({ baseUrl, caller, defaultTimeoutMs: CALL_TIMEOUT_MS });
  const transport = actorToken === undefined ? own : actingTransport(own, actorToken);
  return {
    sales: createClient(SaleService, transport),
    commitments: createClient(CommitmentService, transport),
    webhooks: createClient(WebhookService, transport),
    secrets: createClient(SecretService, transport),
  };
}

function generateCredentials(): Record<CallerName, CallerCredentials> {
  const entries = CALLERS.map((name) => [name, { name, ...generateCallerKey(), audience: COMMITMENTS_AUDIENCE }]);
  return Object.fromEntries(entries) as Record<CallerName, CallerCredentials>;
}
