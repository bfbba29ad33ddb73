import { openStore } from "../../../services/auth/base/open-store.ts";
import type { AuthDatabase } from "../../../services/auth/base/schema.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/store/sql/schema.ts";
import { generateCallerKey } from "../../../services/shared/rpc/identity/caller-keys.ts";
import { type Anvil, startAnvil } from "../../support/anvil.ts";
import { type AuthProcess, startAuthProcess } from "../../support/auth-process.ts";
import { freePort } from "../../support/free-port.ts";
import { anvilChain, type IndexerProcess, indexerKey, startIndexerProcess } from "../../support/indexer-process.ts";
import { type MariaDb, startMariaDb } from "../../support/mariadb.ts";
import { mysqlOf } from "../../support/mysql-of.ts";
import { type Nats, startNats } from "../../support/nats.ts";
import type { RestartableCommitments } from "../../support/restartable-commitments.ts";
import { RestartableProcess } from "../../support/restartable-process.ts";
import { SmallDisk } from "../../support/small-disk.ts";
import { type SmtpSink, startSmtpSink } from "../../support/smtp-sink.ts";
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
  readonly indexers: Replicas<RestartableProcess<IndexerProcess>>;
  readonly gateways: Replicas<RestartableGateway>;
  /** `AUTH_URL`, which leads to the gateways in rotation. */
  readonly origin: string;
  readonly links: Links;
  /** The test's own connections, which use no link. */
  readonly database: CommitmentsDatabase;
  readonly authDatabase: AuthDatabase;
}

/** Starts the deployment, which ends with `stack`. */
export async function startWholeDeployment(stack: AsyncDisposableStack): Promise<WholeDeployment> {
  const servers = await startServers(stack);
  const { url, database } = await commitmentsDatabase(stack, servers.mariaDb);
  const authDatabaseUrl = await servers.mariaDb.createDatabase("faults_auth");
  const builder = new DeploymentBuilder(stack, servers);
  const front = await builder.links.open("people to the gateways");
  const origin = `http://127.0.0.1:${front.port}`;
  const ownOfAuth = generateCallerKey().text;
  const others = { auth: ownOfAuth, indexer: indexerKey.text };
  const services = await several(REPLICAS, (index) => builder.startService(`service ${index}`, url, others));
  const auths = await several(REPLICAS, (index) =>
    startAuth(builder, servers, `auth ${index}`, {
      MYSQL_URL: authDatabaseUrl,
      AUTH_URL: origin,
      COMMITMENTS_URL: services[0].url,
      CALLER_KEY: ownOfAuth,
    }),
  );
  const indexers = await several(REPLICAS, (index) => startIndexer(builder, servers, `indexer ${index}`, services));
  const gateways = await several(REPLICAS, async (index) => {
    const name = `gateway ${index}`;
    const processes = auths.map(({ running }) => running);
    const AUTH_RPC_URL = await builder.urlTo(name, "auth", processes);
    return builder.startGateway(name, services, { AUTH_URL: origin, AUTH_RPC_URL });
  });
  for (const { port } of gateways) front.addTarget(port);
  const authDatabase = stack.adopt(await openStore({ mysql: mysqlOf(authDatabaseUrl) }), (opened) => opened.close());
  return { ...servers, services, auths, indexers, gateways, origin, links: builder.links, database, authDatabase };
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

async function startIndexer(
  builder: DeploymentBuilder,
  { anvil }: Servers,
  name: string,
  services: readonly RestartableCommitments[],
): Promise<RestartableProcess<IndexerProcess>> {
  const chains = { local: anvilChain(await builder.urlTo(name, "the chain", [anvil]), anvil.chainId) };
  const commitmentsUrl = await builder.urlTo(name, "the services", services);
  const start = () => startIndexerProcess(commitmentsUrl, chains, { LEASE_DURATION });
  return builder.ended(new RestartableProcess(start, await start()));
}

/** Returns the errors that the present processes have logged, to investigate a failure. */
export function errorsLogged({ services, auths, indexers, gateways }: WholeDeployment): string {
  const outputs = [services, auths, indexers, gateways].flatMap((each) => each.map(({ process }) => process.output()));
  const lines = outputs.flatMap((output) => output.match(/^.*"level":"(?:error|fatal)".*$/gm) ?? []);
  const withoutStack = (line: string) =>
    JSON.stringify(JSON.parse(line), (key, value) => (key === "stack" ? undefined : value));
  return lines.map(withoutStack).join("\n");
}
