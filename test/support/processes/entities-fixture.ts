import { randomUUID } from "node:crypto";
import { createClient, createRouterTransport } from "@connectrpc/connect";
import { Registry } from "prom-client";
import { Env } from "../../../common/platform/config/env.ts";
import { Lifecycle } from "../../../common/platform/lifecycle/lifecycle.ts";
import { createRpcTransport } from "../../../common/platform/rpc/client/client.ts";
import { ENTITIES_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { openHttpListener } from "../../../common/platform/rpc/server/http-listener.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { Application, seedClient } from "../../../services/auth/testing/application.ts";
import { sampleClient } from "../../../services/auth/testing/sample-application.ts";
import { type EntitiesConfig, entitiesConfig } from "../../../services/entities/base/config.ts";
import { openStore } from "../../../services/entities/base/open-store.ts";
import type { EntitiesDatabase } from "../../../services/entities/base/schema.ts";
import type { Upstreams } from "../../../services/entities/base/upstreams.ts";
import { startEntitiesService } from "../../../services/entities/entities-service.ts";
import { entitiesActors } from "../../../services/entities/upstream-clients.ts";
import type { DatabaseVariant, TestDatabase } from "../databases/databases.ts";
import { mysqlOf } from "../databases/mysql-of.ts";
import { actingTransport } from "./acting-transport.ts";
import { type AuthFixture, ISSUER, KEY_ENCRYPTION_KEY, type SignedIn, startAuth } from "./auth-fixture.ts";
import { describeService } from "./describe-service.ts";
import { type EntitiesClients, entitiesClients } from "./entities-clients.ts";

/** The callers with a key. `stranger` may call no method. */
const CALLERS = ["gateway", "commitments", "auth", "operator", "stranger"] as const;
export type EntitiesCallerName = (typeof CALLERS)[number];

const CALL_TIMEOUT_MS = 60_000;

/** An entities service in this process, with auth and commitments. Its RPC clients call as an operator. */
export interface EntitiesFixture extends EntitiesClients {
  readonly url: string;
  readonly auth: AuthFixture;
  /** A separate connection to the service's database. */
  readonly database: EntitiesDatabase;
  /** The lines of the service's log so far. */
  readonly log: readonly Record<string, unknown>[];
  /**
   * RPC clients of a caller.
   *
   * @param actorToken the person for whom it calls
   * @param url the service's URL unless another one leads there, such as a proxy's
   */
  as(caller: EntitiesCallerName, actorToken?: string, url?: string): EntitiesClients;
  /** RPC clients for the gateway's calls for a person. */
  asPerson(session: SignedIn): Promise<EntitiesClients>;
  /** The application of a sale, which is created with all scopes when it is first asked for. */
  applicationOf(saleUuid: string): Promise<Application>;
  /** Lets a person consent to the application of a sale, with all scopes. @returns the access token */
  accessToken(session: SignedIn, saleUuid: string): Promise<string>;
  stop(): Promise<void>;
}

export interface EntitiesFixtureOptions extends Partial<Omit<EntitiesConfig, "store">> {
  /** The indexer's answers. Without it, contracts bound no wallets, and every other call of the indexer fails as unimplemented. */
  readonly indexer?: Upstreams["indexer"];
  /** Runs when a change was recorded in a sale's activity log, before it is made. */
  readonly afterRecord?: (saleUuid: string) => Promise<unknown>;
}

/** Starts the three services on a database. */
export async function startEntities(
  testDatabase: TestDatabase,
  { indexer = boundlessIndexer(), afterRecord, ...options }: EntitiesFixtureOptions = {},
): Promise<EntitiesFixture> {
  const { logger, lines } = captureLog();
  const lifecycle = new Lifecycle({ logger });
  const keys = new Map(CALLERS.map((name) => [name, generateCallerKey().key] as const));
  // The commitments service calls this one, so its address must be known before it starts.
  const listener = await openHttpListener({ host: "127.0.0.1", port: 0, logger });
  const as = (name: EntitiesCallerName, actorToken?: string, baseUrl = listener.url) => {
    const caller = { name, key: keys.get(name) ?? new Uint8Array(), audience: ENTITIES_AUDIENCE };
    const transport = createRpcTransport({ baseUrl, caller, defaultTimeoutMs: CALL_TIMEOUT_MS });
    return entitiesClients(actorToken === undefined ? transport : actingTransport(transport, actorToken));
  };
  const auth = await startAuth(testDatabase, {
    permits: as("commitments").permits,
    entities: as("auth").entities,
  });
  const config = { ...testConfig(), ...options, store: entitiesStore(testDatabase) };
  const ofAuth = auth.as("entities");
  const memberships = recordingMemberships(ofAuth.memberships, afterRecord);
  const upstreams = { ...ofAuth, ...auth.commitments.as("entities"), memberships, indexer };
  const now = () => Number(auth.time.now());
  const registry = new Registry();
  await startEntitiesService({
    config,
    listener,
    callerKeys: new Map([...keys].map(([name, key]) => [name, [key]])),
    upstreams,
    actors: entitiesActors(upstreams, { issuer: ISSUER, now, registry, logger }),
    clock: auth.time.now,
    lifecycle,
    registry,
    logger,
  });
  lifecycle.markReady();
  const database = await openStore(config.store);
  const applications = new Map<string, Promise<Application>>();
  const applicationOf = (saleUuid: string) => {
    const application = applications.get(saleUuid) ?? createApplication(auth, saleUuid);
    applications.set(saleUuid, application);
    return application;
  };
  return {
    ...as("operator"),
    url: listener.url,
    auth,
    database,
    log: lines,
    as,
    asPerson: async (session) => as("gateway", await auth.actorToken(session, ENTITIES_AUDIENCE)),
    applicationOf,
    accessToken: async ({ sessionToken }, saleUuid) =>
      (await (await applicationOf(saleUuid)).tokens(sessionToken)).accessToken,
    stop: async () => {
      await database.close();
      await lifecycle.stop();
      await auth.stop();
    },
  };
}

/** Declares tests for each kind of database, each with its own services. */
export function describeEntities(
  title: string,
  tests: (service: () => EntitiesFixture, variant: DatabaseVariant) => void,
  options: EntitiesFixtureOptions = {},
): void {
  describeService(title, (database) => startEntities(database, options), tests);
}

async function createApplication(auth: AuthFixture, saleUuid: string): Promise<Application> {
  const client = sampleClient({ saleUuid, uuid: randomUUID() });
  await seedClient(auth.database, client);
  return new Application(auth.as("gateway").authorization, client, auth.as("resource-server").authorization);
}

/** The store configuration of a test's database. */
export function entitiesStore(database: TestDatabase): EntitiesConfig["store"] {
  if (database.dialect === "sqlite") return { sqliteFile: `${database.file}.entities` };
  return { mysql: mysqlOf(database.url) };
}

function testConfig(): EntitiesConfig {
  return entitiesConfig(new Env({ AUTH_URL: ISSUER, KEY_ENCRYPTION_KEY: KEY_ENCRYPTION_KEY.toString("base64url") }));
}

function recordingMemberships(
  memberships: Upstreams["memberships"],
  afterRecord: EntitiesFixtureOptions["afterRecord"],
): Upstreams["memberships"] {
  return {
    ...memberships,
    recordSaleChange: async (request, options) => {
      const response = await memberships.recordSaleChange(request, options);
      await afterRecord?.(request.saleUuid ?? "");
      return response;
    },
  };
}

/** Finds contracts that bound no wallets. */
function boundlessIndexer(): Upstreams["indexer"] {
  return createClient(
    IndexerService,
    createRouterTransport(({ service }) => void service(IndexerService, { checkSource: () => ({ readable: true }) })),
  );
}
