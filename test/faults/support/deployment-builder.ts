import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import type { MariaDb } from "../../support/databases/mariadb.ts";
import { type AuthCallerKeys, generateAuthCallerKeys } from "../../support/processes/auth-process.ts";
import type { Nats } from "../../support/processes/nats.ts";
import { RestartableCommitments } from "../../support/processes/restartable-commitments.ts";
import { Links } from "./links.ts";
import { RestartableGateway } from "./restartable-gateway.ts";

/** Timeout of the test's own calls, which go to the services directly. */
const CALL_TIMEOUT_MS = 3_000;

interface Servers {
  readonly mariaDb: MariaDb;
  readonly nats: Nats;
}

/** Starts the processes of a deployment, which reach each other through links and end with a stack. */
export class DeploymentBuilder {
  readonly links: Links;
  readonly keys: AuthCallerKeys = generateAuthCallerKeys();
  readonly #stack: AsyncDisposableStack;
  readonly #servers: Servers;
  readonly #operator = generateCallerKey();

  constructor(stack: AsyncDisposableStack, servers: Servers) {
    this.links = new Links(stack);
    this.#stack = stack;
    this.#servers = servers;
  }

  /**
   * Starts a commitments service.
   *
   * @param otherCallers keys of callers besides the operator and the gateway, as text
   * @param settings further settings
   */
  async startService(
    name: string,
    databaseUrl: string,
    otherCallers: Readonly<Record<string, string>> = {},
    settings: Readonly<Record<string, string>> = {},
  ): Promise<RestartableCommitments> {
    const callers = { operator: this.#operator.text, gateway: this.keys.gateway.text, ...otherCallers };
    const env = {
      MYSQL_URL: await this.mysqlUrl(name, databaseUrl),
      CALLER_KEYS: Object.entries(callers)
        .map((entry) => entry.join("="))
        .join(","),
      ...(await this.#natsSettings(name)),
      ...settings,
    };
    const options = { key: this.#operator, timeoutMs: CALL_TIMEOUT_MS };
    return this.ended(await RestartableCommitments.start(env, options));
  }

  /** Starts a gateway in front of commitments services. */
  async startGateway(
    name: string,
    services: readonly { readonly url: string }[],
    settings: Readonly<Record<string, string>> = {},
  ): Promise<RestartableGateway> {
    const env = {
      COMMITMENTS_URL: await this.urlTo(name, "the services", services),
      CALLER_NAME: "gateway",
      CALLER_KEY: this.keys.gateway.text,
      ...(await this.#natsSettings(name)),
      ...settings,
    };
    return this.ended(await RestartableGateway.start(env));
  }

  /** Opens a link to any of several processes. @returns its URL */
  async urlTo(name: string, target: string, processes: readonly { readonly url: string }[]): Promise<string> {
    const ports = processes.map(({ url }) => Number(new URL(url).port));
    const port = await this.links.openPort(`${name} to ${target}`, ...ports);
    return `http://127.0.0.1:${port}`;
  }

  /** Opens a link to MariaDB. @returns the URL of a database through it */
  async mysqlUrl(name: string, databaseUrl: string): Promise<string> {
    const url = new URL(databaseUrl);
    url.port = String(await this.links.openPort(`${name} to MariaDB`, this.#servers.mariaDb.port));
    return url.href;
  }

  /** Has a process killed at the end of the stack. */
  ended<Process extends { kill(): Promise<unknown> }>(process: Process): Process {
    return this.#stack.adopt(process, async () => void (await process.kill()));
  }

  async #natsSettings(name: string): Promise<Readonly<Record<string, string>>> {
    const port = await this.links.openPort(`${name} to NATS`, Number(new URL(this.#servers.nats.url).port));
    return { NATS_URL: `nats://127.0.0.1:${port}`, NATS_STREAM_MAX_BYTES: "256MiB" };
  }
}

/** Starts several processes one after another, because the first one migrates the tables. */
export async function several<Item>(
  count: number,
  start: (index: number) => Promise<Item>,
): Promise<readonly [Item, ...Item[]]> {
  const items: [Item, ...Item[]] = [await start(1)];
  for (let index = 2; index <= count; index += 1) items.push(await start(index));
  return items;
}
