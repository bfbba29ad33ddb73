import { generateCallerKey } from "../../../services/shared/rpc/identity/caller-keys.ts";
import { type AuthCallerKeys, generateAuthCallerKeys } from "../../support/auth-process.ts";
import type { MariaDb } from "../../support/mariadb.ts";
import type { Nats } from "../../support/nats.ts";
import { RestartableCommitments } from "../../support/restartable-commitments.ts";
import { Links } from "./links.ts";
import { RestartableGateway } from "./restartable-gateway.ts";

/** Of the test's own calls, which go to the services directly. */
const CALL_TIMEOUT_MS = 3_000;

interface Servers {
  readonly mariaDb: MariaDb;
  readonly nats: Nats;
}

/** Starts what deployments are made of: processes that reach each other by links, and end with a stack. */
export class DeploymentParts {
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

  /** @param otherCallers keys of callers beside the operator and the gateway, as text */
  async startService(
    name: string,
    databaseUrl: string,
    otherCallers: Readonly<Record<string, string>> = {},
  ): Promise<RestartableCommitments> {
    const callers = { operator: this.#operator.text, gateway: this.keys.gateway.text, ...otherCallers };
    const env = {
      MYSQL_URL: await this.mysqlUrl(name, databaseUrl),
      CALLER_KEYS: Object.entries(callers)
        .map((entry) => entry.join("="))
        .join(","),
      ...(await this.#natsSettings(name)),
    };
    const options = { key: this.#operator, timeoutMs: CALL_TIMEOUT_MS };
    return this.ended(await RestartableCommitments.start(env, options));
  }

  /** @param services where the commitments services are */
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

  /** By a link of its own to any of several processes. */
  async urlTo(name: string, what: string, processes: readonly { readonly url: string }[]): Promise<string> {
    const port = await this.links.lead(`${name} to ${what}`, ...processes.map(({ url }) => Number(new URL(url).port)));
    return `http://127.0.0.1:${port}`;
  }

  /** By a link of its own. */
  async mysqlUrl(name: string, databaseUrl: string): Promise<string> {
    const url = new URL(databaseUrl);
    url.port = String(await this.links.lead(`${name} to MariaDB`, this.#servers.mariaDb.port));
    return url.href;
  }

  /** Lets a process be killed at the end. */
  ended<Part extends { kill(): Promise<unknown> }>(part: Part): Part {
    return this.#stack.adopt(part, async () => void (await part.kill()));
  }

  async #natsSettings(name: string): Promise<Readonly<Record<string, string>>> {
    const port = await this.links.lead(`${name} to NATS`, Number(new URL(this.#servers.nats.url).port));
    return { NATS_URL: `nats://127.0.0.1:${port}`, NATS_STREAM_MAX_BYTES: "256MiB" };
  }
}

/** One after another: the first one that is started brings the tables up to date. */
export async function several<Item>(
  count: number,
  start: (index: number) => Promise<Item>,
): Promise<readonly [Item, ...Item[]]> {
  const items: [Item, ...Item[]] = [await start(1)];
  for (let index = 2; index <= count; index += 1) items.push(await start(index));
  return items;
}
