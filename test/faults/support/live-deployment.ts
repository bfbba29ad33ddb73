import { openStore } from "../../../services/commitments/open-store.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/store/schema.ts";
import { generateCallerKey } from "../../../services/shared/rpc/callers.ts";
import { openCommitmentsDatabase, storeConfig } from "../../support/commitments-database.ts";
import { type MariaDb, startMariaDb } from "../../support/mariadb.ts";
import { type Nats, startNats } from "../../support/nats.ts";
import { RestartableCommitments } from "../../support/restartable-commitments.ts";
import { type Link, Links } from "./links.ts";
import { RestartableGateway } from "./restartable-gateway.ts";

const SERVICES = 3;
const GATEWAYS = 2;
/** Of the test's own calls, which go to the services directly. */
const CALL_TIMEOUT_MS = 3_000;

/**
 * Commitments services and gateways as processes of their own, with MariaDB and NATS, each of which reaches the others
 * through a proxy of its own that can be cut.
 */
export class LiveDeployment {
  readonly mariaDb: MariaDb;
  readonly nats: Nats;
  readonly services: readonly [RestartableCommitments, ...RestartableCommitments[]];
  readonly gateways: readonly [RestartableGateway, ...RestartableGateway[]];
  readonly links: readonly Link[];
  /** A connection of the test's own, past all proxies. */
  readonly database: CommitmentsDatabase;

  private constructor(parts: Omit<LiveDeployment, "constructor">) {
    this.mariaDb = parts.mariaDb;
    this.nats = parts.nats;
    this.services = parts.services;
    this.gateways = parts.gateways;
    this.links = parts.links;
    this.database = parts.database;
  }

  /** Everything is ended with `stack`. */
  static async start(stack: AsyncDisposableStack): Promise<LiveDeployment> {
    const mariaDb = stack.adopt(await startMariaDb(), (server) => server.stop());
    const nats = stack.adopt(await startNats(), (server) => server.stop());
    const url = await mariaDb.createDatabase("live_updates");
    const database = { dialect: "mysql", url, remove: async () => {} } as const;
    await (await openCommitmentsDatabase(database)).close();
    const parts = new Parts(stack, { mariaDb, nats, url });
    const services = await parts.startServices();
    const gateways = await parts.startGateways(services.map((service) => Number(new URL(service.url).port)));
    const store = stack.adopt(openStore(storeConfig(database)), (opened) => opened.close());
    return new LiveDeployment({ mariaDb, nats, services, gateways, links: parts.links.all, database: store });
  }
}

interface Servers {
  readonly mariaDb: MariaDb;
  readonly nats: Nats;
  /** Of the database, past all proxies. */
  readonly url: string;
}

/** Starts what a deployment is made of. */
class Parts {
  readonly links: Links;
  readonly #stack: AsyncDisposableStack;
  readonly #servers: Servers;
  readonly #operator = generateCallerKey();
  readonly #gateway = generateCallerKey();

  constructor(stack: AsyncDisposableStack, servers: Servers) {
    this.links = new Links(stack);
    this.#stack = stack;
    this.#servers = servers;
  }

  startServices(): Promise<[RestartableCommitments, ...RestartableCommitments[]]> {
    return several(SERVICES, (index) => this.#startService(`service ${index}`));
  }

  startGateways(ports: readonly number[]): Promise<[RestartableGateway, ...RestartableGateway[]]> {
    return several(GATEWAYS, (index) => this.#startGateway(`gateway ${index}`, ports));
  }

  async #startService(name: string): Promise<RestartableCommitments> {
    const mysqlUrl = new URL(this.#servers.url);
    mysqlUrl.port = String(await this.links.lead(`${name} to MariaDB`, this.#servers.mariaDb.port));
    const env = {
      MYSQL_URL: mysqlUrl.href,
      CALLER_KEYS: `operator=${this.#operator.text},gateway=${this.#gateway.text}`,
      ...(await this.#natsSettings(name)),
    };
    const options = { key: this.#operator, timeoutMs: CALL_TIMEOUT_MS };
    return this.#stack.adopt(await RestartableCommitments.start(env, options), killed);
  }

  async #startGateway(name: string, ports: readonly number[]): Promise<RestartableGateway> {
    const port = await this.links.lead(`${name} to the services`, ...ports);
    const env = {
      COMMITMENTS_URL: `http://127.0.0.1:${port}`,
      CALLER_NAME: "gateway",
      CALLER_KEY: this.#gateway.text,
      ...(await this.#natsSettings(name)),
    };
    return this.#stack.adopt(await RestartableGateway.start(env), killed);
  }

  async #natsSettings(name: string): Promise<Readonly<Record<string, string>>> {
    const port = await this.links.lead(`${name} to NATS`, Number(new URL(this.#servers.nats.url).port));
    return { NATS_URL: `nats://127.0.0.1:${port}`, NATS_STREAM_MAX_BYTES: "256MiB" };
  }
}

async function killed(part: { kill(): Promise<unknown> }): Promise<void> {
  await part.kill();
}

/** One after another: the first one that is started brings the tables up to date. */
async function several<Item>(count: number, start: (index: number) => Promise<Item>): Promise<[Item, ...Item[]]> {
  const items: [Item, ...Item[]] = [await start(1)];
  for (let index = 2; index <= count; index += 1) items.push(await start(index));
  return items;
}
