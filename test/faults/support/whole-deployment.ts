import { openStore as openAuthStore } from "../../../services/auth/open-store.ts";
import type { AuthDatabase } from "../../../services/auth/store/schema.ts";
import { openStore } from "../../../services/commitments/open-store.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/store/schema.ts";
import { generateCallerKey } from "../../../services/shared/rpc/callers.ts";
import { type Anvil, startAnvil } from "../../support/anvil.ts";
import { type AuthProcess, generateAuthCallerKeys, startAuthProcess } from "../../support/auth-process.ts";
import { openCommitmentsDatabase, storeConfig } from "../../support/commitments-database.ts";
import { freePort } from "../../support/free-port.ts";
import { anvilChain, type IndexerProcess, indexerKey, startIndexerProcess } from "../../support/indexer-process.ts";
import { type MariaDb, startMariaDb } from "../../support/mariadb.ts";
import { mysqlOf } from "../../support/mysql-of.ts";
import { type Nats, startNats } from "../../support/nats.ts";
import { RestartableCommitments } from "../../support/restartable-commitments.ts";
import { SmallDisk } from "../../support/small-disk.ts";
import { type SmtpSink, startSmtpSink } from "../../support/smtp-sink.ts";
import { Links } from "./links.ts";
import { RestartableGateway } from "./restartable-gateway.ts";
import { RestartableProcess } from "./restartable-process.ts";

const COPIES = [1, 2] as const;
const DISK_MEBIBYTES = 768;
/** Of the test's own calls, which go to the services directly. */
const CALL_TIMEOUT_MS = 3_000;
const LEASE_DURATION = "3s";

type Two<Item> = readonly [Item, Item];

/**
 * Two of each of our components, with MariaDB on a disk of its own where that can be had, NATS, a chain and a mail
 * server. Each reaches the others through proxies of its own.
 */
export interface WholeDeployment {
  readonly disk: SmallDisk | undefined;
  readonly mariaDb: MariaDb;
  readonly nats: Nats;
  readonly anvil: Anvil;
  readonly smtp: SmtpSink;
  readonly services: Two<RestartableCommitments>;
  readonly auths: Two<RestartableProcess<AuthProcess>>;
  readonly indexers: Two<RestartableProcess<IndexerProcess>>;
  readonly gateways: Two<RestartableGateway>;
  /** `AUTH_URL`, which leads to the gateways in turn. */
  readonly origin: string;
  readonly links: Links;
  /** Connections of the test's own, past all proxies. */
  readonly database: CommitmentsDatabase;
  readonly authDatabase: AuthDatabase;
}

/** Everything is ended with `stack`. */
export async function startWholeDeployment(stack: AsyncDisposableStack): Promise<WholeDeployment> {
  const disk = SmallDisk.isPossible()
    ? stack.adopt(await SmallDisk.create(DISK_MEBIBYTES), (small) => small.remove())
    : undefined;
  const mariaDb = stack.adopt(await startMariaDb(disk === undefined ? {} : { disk }), (server) => server.stop());
  const nats = stack.adopt(await startNats(), (server) => server.stop());
  const anvil = stack.adopt(await startAnvil({ keepState: true }), (node) => node.stop());
  const smtp = stack.adopt(await startSmtpSink(), (sink) => sink.stop());
  const [url, authUrl] = [await mariaDb.createDatabase("whole"), await mariaDb.createDatabase("whole_auth")];
  const database = { dialect: "mysql", url, remove: async () => {} } as const;
  await (await openCommitmentsDatabase(database)).close();

  const links = new Links(stack);
  const keys = generateAuthCallerKeys();
  const [operator, ownOfAuth] = [generateCallerKey(), generateCallerKey()];
  const lead = async (name: string, to: string, ...targets: readonly string[]) =>
    `127.0.0.1:${await links.lead(`${name} to ${to}`, ...targets.map(portOf))}`;
  const mysql = async (name: string, target: string) => ({
    MYSQL_URL: `mysql://root@${await lead(name, "MariaDB", mariaDb.url)}${new URL(target).pathname}`,
  });
  const bus = async (name: string) => ({
    NATS_URL: `nats://${await lead(name, "NATS", nats.url)}`,
    NATS_STREAM_MAX_BYTES: "256MiB",
  });

  const services = await two("service", async (name) => {
    const env = {
      ...(await mysql(name, url)),
      ...(await bus(name)),
      CALLER_KEYS: Object.entries({ operator, gateway: keys.gateway, auth: ownOfAuth, indexer: indexerKey })
        .map(([caller, { text }]) => `${caller}=${text}`)
        .join(","),
    };
    const options = { key: operator, timeoutMs: CALL_TIMEOUT_MS };
    return stack.adopt(await RestartableCommitments.start(env, options), killed);
  });
  const serviceUrls = services.map((service) => service.url);
  const front = await links.open("people to the gateways");
  const origin = `http://127.0.0.1:${front.port}`;
  const auths = await two("auth", async (name) => {
    const env = {
      ...(await mysql(name, authUrl)),
      AUTH_PORT: String(await freePort()),
      AUTH_URL: origin,
      AUTH_RATE_LIMITS: "off",
      KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64url"),
      SMTP_URL: `smtp://${await lead(name, "the mail server", `smtp://127.0.0.1:${smtp.port}`)}`,
      MAIL_FROM: "Tidemark <sign-in@tidemark.example>",
      COMMITMENTS_URL: `http://${await lead(name, "the services", ...serviceUrls)}`,
      CALLER_KEY: ownOfAuth.text,
    };
    return stack.adopt(await RestartableProcess.start(() => startAuthProcess(env, keys)), killed);
  });
  const authUrls = auths.map((auth) => auth.running.url);
  const indexers = await two("indexer", async (name) => {
    const chains = { local: anvilChain(`http://${await lead(name, "the chain", anvil.url)}`, anvil.chainId) };
    const commitmentsUrl = `http://${await lead(name, "the services", ...serviceUrls)}`;
    const start = () => startIndexerProcess(commitmentsUrl, chains, { LEASE_DURATION });
    return stack.adopt(await RestartableProcess.start(start), killed);
  });
  const gateways = await two("gateway", async (name) => {
    const env = {
      ...(await bus(name)),
      AUTH_URL: origin,
      AUTH_RPC_URL: `http://${await lead(name, "auth", ...authUrls)}`,
      COMMITMENTS_URL: `http://${await lead(name, "the services", ...serviceUrls)}`,
      CALLER_NAME: "gateway",
      CALLER_KEY: keys.gateway.text,
    };
    return stack.adopt(await RestartableGateway.start(env), killed);
  });
  for (const { port } of gateways) front.addTarget(port);
  return {
    ...{ disk, mariaDb, nats, anvil, smtp, services, auths, indexers, gateways, origin, links },
    database: stack.adopt(openStore(storeConfig(database)), (opened) => opened.close()),
    authDatabase: stack.adopt(openAuthStore({ mysql: mysqlOf(authUrl) }), (opened) => opened.close()),
  };
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

async function killed(part: { kill(): Promise<unknown> }): Promise<void> {
  await part.kill();
}

/** One after another: the first one that is started brings the tables up to date. */
async function two<Item>(name: string, start: (name: string) => Promise<Item>): Promise<Two<Item>> {
  const [first, second] = COPIES;
  return [await start(`${name} ${first}`), await start(`${name} ${second}`)];
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
