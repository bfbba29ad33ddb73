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
import { DeploymentParts, several } from "./deployment-parts.ts";
import type { Links } from "./links.ts";
import { commitmentsDatabase } from "./live-deployment.ts";
import type { RestartableGateway } from "./restartable-gateway.ts";

const COPIES = 2;
const DISK_MEBIBYTES = 768;
const LEASE_DURATION = "3s";
const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64url");

type Copies<Item> = readonly [Item, ...Item[]];

interface Servers {
  /** Of MariaDB, where one can be had. */
  readonly disk: SmallDisk | undefined;
  readonly mariaDb: MariaDb;
  readonly nats: Nats;
  readonly anvil: Anvil;
  readonly smtp: SmtpSink;
}

/** Two of each of our components on MariaDB, NATS, a chain and a mail server; each reaches the others by links of its own. */
export interface WholeDeployment extends Servers {
  readonly services: Copies<RestartableCommitments>;
  readonly auths: Copies<RestartableProcess<AuthProcess>>;
  readonly indexers: Copies<RestartableProcess<IndexerProcess>>;
  readonly gateways: Copies<RestartableGateway>;
  /** `AUTH_URL`, which leads to the gateways in turn. */
  readonly origin: string;
  readonly links: Links;
  /** Connections of the test's own, past all links. */
  readonly database: CommitmentsDatabase;
  readonly authDatabase: AuthDatabase;
}

/** Everything is ended with `stack`. */
export async function startWholeDeployment(stack: AsyncDisposableStack): Promise<WholeDeployment> {
  const servers = await startServers(stack);
  const { url, database } = await commitmentsDatabase(stack, servers.mariaDb);
  const authDatabaseUrl = await servers.mariaDb.createDatabase("faults_auth");
  const parts = new DeploymentParts(stack, servers);
  const front = await parts.links.open("people to the gateways");
  const origin = `http://127.0.0.1:${front.port}`;
  const ownOfAuth = generateCallerKey().text;
  const others = { auth: ownOfAuth, indexer: indexerKey.text };
  const services = await several(COPIES, (index) => parts.startService(`service ${index}`, url, others));
  const auths = await several(COPIES, (index) =>
    startAuth(parts, servers, `auth ${index}`, {
      MYSQL_URL: authDatabaseUrl,
      AUTH_URL: origin,
      COMMITMENTS_URL: services[0].url,
      CALLER_KEY: ownOfAuth,
    }),
  );
  const indexers = await several(COPIES, (index) => startIndexer(parts, servers, `indexer ${index}`, services));
  const gateways = await several(COPIES, async (index) => {
    const name = `gateway ${index}`;
    const processes = auths.map(({ running }) => running);
    const AUTH_RPC_URL = await parts.urlTo(name, "auth", processes);
    return parts.startGateway(name, services, { AUTH_URL: origin, AUTH_RPC_URL });
  });
  for (const { port } of gateways) front.addTarget(port);
  const authDatabase = stack.adopt(openStore({ mysql: mysqlOf(authDatabaseUrl) }), (opened) => opened.close());
  return { ...servers, services, auths, indexers, gateways, origin, links: parts.links, database, authDatabase };
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

/** @param settings with the database's own URL */
async function startAuth(
  parts: DeploymentParts,
  { smtp }: Servers,
  name: string,
  settings: Readonly<Record<string, string>> & { readonly MYSQL_URL: string },
): Promise<RestartableProcess<AuthProcess>> {
  const mailPort = await parts.links.lead(`${name} to the mail server`, smtp.port);
  const env = {
    ...settings,
    MYSQL_URL: await parts.mysqlUrl(name, settings.MYSQL_URL),
    AUTH_PORT: String(await freePort()),
    AUTH_RATE_LIMITS: "off",
    KEY_ENCRYPTION_KEY,
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    MAIL_FROM: "Tidemark <sign-in@tidemark.example>",
  };
  const start = () => startAuthProcess(env, parts.keys);
  return parts.ended(new RestartableProcess(start, await start()));
}

async function startIndexer(
  parts: DeploymentParts,
  { anvil }: Servers,
  name: string,
  services: readonly RestartableCommitments[],
): Promise<RestartableProcess<IndexerProcess>> {
  const chains = { local: anvilChain(await parts.urlTo(name, "the chain", [anvil]), anvil.chainId) };
  const commitmentsUrl = await parts.urlTo(name, "the services", services);
  const start = () => startIndexerProcess(commitmentsUrl, chains, { LEASE_DURATION });
  return parts.ended(new RestartableProcess(start, await start()));
}

/** What the present processes have logged as errors, for people who look into a failure. */
export function errorsLogged({ services, auths, indexers, gateways }: WholeDeployment): string {
  const outputs = [services, auths, indexers, gateways].flatMap((parts) =>
    parts.map(({ process }) => process.output()),
  );
  const lines = outputs.flatMap((output) => output.match(/^.*"level":"(?:error|fatal)".*$/gm) ?? []);
  const withoutStack = (line: string) =>
    JSON.stringify(JSON.parse(line), (key, value) => (key === "stack" ? undefined : value));
  return lines.map(withoutStack).join("\n");
}
