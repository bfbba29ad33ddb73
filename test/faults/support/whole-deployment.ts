import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { openStore as openAuthStore } from "../../../services/auth/base/open-store.ts";
import type { AuthDatabase } from "../../../services/auth/base/schema.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";
import { openStore as openEntitiesStore } from "../../../services/entities/base/open-store.ts";
import type { EntitiesDatabase } from "../../../services/entities/base/schema.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { type MariaDb, startMariaDb } from "../../support/databases/mariadb.ts";
import { mysqlOf } from "../../support/databases/mysql-of.ts";
import { SmallDisk } from "../../support/databases/small-disk.ts";
import { type AuthCallerKeys, type AuthProcess, startAuthProcess } from "../../support/processes/auth-process.ts";
import {
  type EntitiesCallerKeys,
  type EntitiesProcess,
  startEntitiesProcess,
} from "../../support/processes/entities-process.ts";
import { freePort } from "../../support/processes/free-port.ts";
import {
  anvilChain,
  type IndexerProcess,
  indexerKey,
  startIndexerProcess,
} from "../../support/processes/indexer-process.ts";
import { type Nats, startNats } from "../../support/processes/nats.ts";
import type { RestartableCommitments } from "../../support/processes/restartable-commitments.ts";
import { RestartableProcess } from "../../support/processes/restartable-process.ts";
import { type SmtpSink, startSmtpSink } from "../../support/processes/smtp-sink.ts";
import { DeploymentBuilder, several } from "./deployment-builder.ts";
import type { Links } from "./links.ts";
import { commitmentsDatabase } from "./live-deployment.ts";
import type { RestartableGateway } from "./restartable-gateway.ts";

const REPLICAS = 2;
const DISK_MEBIBYTES = 768;
const LEASE_DURATION = "3s";
const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64url");

type Replicas<Item> = readonly [Item, ...Item[]];

interface Servers {
  /** The disk of MariaDB, if the machine allows one to be created. */
  readonly disk: SmallDisk | undefined;
  readonly mariaDb: MariaDb;
  readonly nats: Nats;
  readonly anvil: Anvil;
  readonly smtp: SmtpSink;
}

/** Two processes of each component with MariaDB, NATS, a chain and a mail server, connected by links. */
export interface WholeDeployment extends Servers {
  readonly services: Replicas<RestartableCommitments>;
  readonly auths: Replicas<RestartableProcess<AuthProcess>>;
  readonly entities: Replicas<RestartableProcess<EntitiesProcess>>;
  readonly indexers: Replicas<RestartableProcess<IndexerProcess>>;
  readonly gateways: Replicas<RestartableGateway>;
  /** `AUTH_URL`, which leads to the gateways in rotation. */
  readonly origin: string;
  readonly links: Links;
  /** The test's own connections, which use no link. */
  readonly database: CommitmentsDatabase;
  readonly authDatabase: AuthDatabase;
  readonly entitiesDatabase: EntitiesDatabase;
}

/** Starts the deployment, which ends with `stack`. */
export async function startWholeDeployment(stack: AsyncDisposableStack): Promise<WholeDeployment> {
  const servers = await startServers(stack);
  const { url, database } = await commitmentsDatabase(stack, servers.mariaDb);
  const authDatabaseUrl = await servers.mariaDb.createDatabase("faults_auth");
  const entitiesDatabaseUrl = await servers.mariaDb.createDatabase("faults_entities");
  const builder = new DeploymentBuilder(stack, servers);
  const front = await builder.links.open("people to the gateways");
  const origin = `http://127.0.0.1:${front.port}`;
  const keys = { ...builder.keys, auth: generateCallerKey() };
  const others = { auth: keys.auth.text, entities: keys.entities.text, indexer: indexerKey.text };
  // The services that start first know the entities services by their ports.
  const entitiesPorts = [await freePort(), await freePort()] as const;
  const toEntities = async (name: string) => ({
    ENTITIES_URL: `http://127.0.0.1:${await builder.links.openPort(`${name} to entities`, ...entitiesPorts)}`,
  });
  const services = await several(REPLICAS, async (index) => {
    const name = `service ${index}`;
    const caller = { CALLER_NAME: "commitments", CALLER_KEY: keys.commitments.text };
    return builder.startService(name, url, others, { ...caller, ...(await toEntities(name)) });
  });
  const auths = await several(REPLICAS, async (index) =>
    startAuth(builder, servers, `auth ${index}`, {
      MYSQL_URL: authDatabaseUrl,
      AUTH_URL: origin,
      COMMITMENTS_URL: services[0].url,
      CALLER_KEY: keys.auth.text,
      ...(await toEntities(`auth ${index}`)),
    }),
  );
  const indexers = await several(REPLICAS, (index) => startIndexer(builder, servers, `indexer ${index}`, services));
  const running = { auths: auths.map((each) => each.running), indexers: indexers.map((each) => each.running) };
  const place = { services, ...running, keys, origin, databaseUrl: entitiesDatabaseUrl };
  const entities = await several(REPLICAS, (index) =>
    startEntities(builder, `entities ${index}`, { ...place, port: entitiesPorts[index - 1] ?? 0 }),
  );
  const gateways = await several(REPLICAS, async (index) => {
    const name = `gateway ${index}`;
    const AUTH_RPC_URL = await builder.urlTo(name, "auth", running.auths);
    return builder.startGateway(name, services, { AUTH_URL: origin, AUTH_RPC_URL, ...(await toEntities(name)) });
  });
  for (const { port } of gateways) front.addTarget(port);
  const authDatabase = await openAuthStore({ mysql: mysqlOf(authDatabaseUrl) });
  stack.defer(() => authDatabase.close());
  const entitiesDatabase = await openEntitiesStore({ mysql: mysqlOf(entitiesDatabaseUrl) });
  stack.defer(() => entitiesDatabase.close());
  const processes = { services, auths, entities, indexers, gateways };
  return { ...servers, ...processes, origin, links: builder.links, database, authDatabase, entitiesDatabase };
}

async function startServers(stack: AsyncDisposableStack): Promise<Servers> {
  const disk = SmallDisk.isPossible()
    ? stack.adopt(await SmallDisk.create(DISK_MEBIBYTES), (small) => small.remove())
    : undefined;
  return {
    disk,
    mariaDb: stack.adopt(await startMariaDb(disk === undefined ? {} : { disk }), (server) => server.stop()),
    nats: stack.adopt(await startNats(), (server) => server.stop()),
    anvil: stack.adopt(await startAnvil({ keepState: true }), (node) => node.stop()),
    smtp: stack.adopt(await startSmtpSink(), (sink) => sink.stop()),
  };
}

/** Starts an auth service. @param settings with the database's own URL, which is replaced by that of a link */
async function startAuth(
  builder: DeploymentBuilder,
  { smtp }: Servers,
  name: string,
  settings: Readonly<Record<string, string>> & { readonly MYSQL_URL: string },
): Promise<RestartableProcess<AuthProcess>> {
  const mailPort = await builder.links.openPort(`${name} to the mail server`, smtp.port);
  const env = {
    ...settings,
    MYSQL_URL: await builder.mysqlUrl(name, settings.MYSQL_URL),
    AUTH_PORT: String(await freePort()),
    AUTH_RATE_LIMITS: "off",
    KEY_ENCRYPTION_KEY,
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    MAIL_FROM: "Tidemark <sign-in@tidemark.example>",
  };
  const start = () => startAuthProcess(env, builder.keys);
  return builder.ended(new RestartableProcess(start, await start()));
}

interface EntitiesPlace {
  readonly services: readonly RestartableCommitments[];
  readonly auths: readonly AuthProcess[];
  readonly indexers: readonly IndexerProcess[];
  /** `AUTH_URL`. */
  readonly origin: string;
  readonly keys: EntitiesCallerKeys & Pick<AuthCallerKeys, "entities">;
  /** The database's own URL, which is replaced by that of a link. */
  readonly databaseUrl: string;
  readonly port: number;
}

async function startEntities(
  builder: DeploymentBuilder,
  name: string,
  { services, auths, indexers, keys, origin, databaseUrl, port }: EntitiesPlace,
): Promise<RestartableProcess<EntitiesProcess>> {
  const env = {
    MYSQL_URL: await builder.mysqlUrl(name, databaseUrl),
    ENTITIES_PORT: String(port),
    AUTH_URL: origin,
    AUTH_RPC_URL: await builder.urlTo(name, "auth", auths),
    COMMITMENTS_URL: await builder.urlTo(name, "the services", services),
    INDEXER_URL: await builder.urlTo(name, "the indexers", indexers),
    KEY_ENCRYPTION_KEY,
    CALLER_KEY: keys.entities.text,
  };
  const start = () => startEntitiesProcess(env, keys);
  return builder.ended(new RestartableProcess(start, await start()));
}

async function startIndexer(
  builder: DeploymentBuilder,
  { anvil }: Servers,
  name: string,
  services: readonly RestartableCommitments[],
): Promise<RestartableProcess<IndexerProcess>> {
  const chains = { local: anvilChain(await builder.urlTo(name, "the chain", [anvil]), anvil.chainId) };
  const commitmentsUrl = await builder.urlTo(name, "the services", services);
  // The entities services know it by its port, also after a restart.
  const INDEXER_PORT = String(await freePort());
  const CALLER_KEYS = `operator=${indexerKey.text},entities=${builder.keys.entities.text}`;
  const settings = { LEASE_DURATION, INDEXER_PORT, CALLER_KEYS };
  const start = () => startIndexerProcess(commitmentsUrl, chains, settings);
  return builder.ended(new RestartableProcess(start, await start()));
}

/** Returns the errors that the present processes have logged, MariaDB's among them, to investigate a failure. */
export function errorsLogged({ services, auths, entities, indexers, gateways, mariaDb }: WholeDeployment): string {
  const outputs = [services, auths, entities, indexers, gateways].flatMap((each) =>
    each.map(({ process }) => process.output()),
  );
  const lines = outputs.flatMap((output) => output.match(/^.*"level":"(?:error|fatal)".*$/gm) ?? []);
  const withoutStack = (line: string) =>
    JSON.stringify(JSON.parse(line), (key, value) => (key === "stack" ? undefined : value));
  const ofMariaDb = mariaDb.output().match(/^.*\[ERROR\].*$/gm) ?? [];
  return [...lines.map(withoutStack), ...ofMariaDb].join("\n");
}
