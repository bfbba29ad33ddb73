import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { type GatewayProcess, startGatewayProcess } from "./gateway-process.ts";
import { RestartableCommitments } from "./restartable-commitments.ts";
import { temporaryFolder } from "./temporary-folder.ts";

type Env = Readonly<Record<string, string>>;

/** Services and gateways of one deployment, each a process, on one MySQL database. */
export class Distributed {
  readonly #mysqlUrl: string;
  readonly #operator = generateCallerKey();
  readonly #gateway = generateCallerKey();
  readonly #stops: (() => Promise<unknown>)[] = [];

  constructor(mysqlUrl: string) {
    this.#mysqlUrl = mysqlUrl;
  }

  /** A commitments service that gets its secrets from the environment. */
  startCommitments(): Promise<RestartableCommitments> {
    return this.#startCommitments({ MYSQL_URL: this.#mysqlUrl, CALLER_KEYS: this.#callerKeys });
  }

  /** A commitments service that reads its secrets from files. */
  async startCommitmentsWithFiles(): Promise<RestartableCommitments> {
    const mysqlUrl = await this.#secretFile(this.#mysqlUrl);
    const callerKeys = await this.#secretFile(this.#callerKeys);
    return this.#startCommitments({ MYSQL_URL_FILE: mysqlUrl, CALLER_KEYS: "", CALLER_KEYS_FILE: callerKeys });
  }

  /** A gateway that gets its key from the environment. */
  startGateway(commitments: RestartableCommitments, env: Env = {}): Promise<GatewayProcess> {
    return this.#startGateway(commitments, { CALLER_KEY: this.#gateway.text, ...env });
  }

  /** A gateway that reads its key from a file. */
  async startGatewayWithFiles(commitments: RestartableCommitments): Promise<GatewayProcess> {
    return this.#startGateway(commitments, { CALLER_KEY_FILE: await this.#secretFile(this.#gateway.text) });
  }

  /** Kills what still runs and removes the files. */
  async stop(): Promise<void> {
    await Promise.all(this.#stops.splice(0).map((stop) => stop()));
  }

  get #callerKeys(): string {
    return `operator=${this.#operator.text},gateway=${this.#gateway.text}`;
  }

  async #startCommitments(env: Env): Promise<RestartableCommitments> {
    const service = await RestartableCommitments.start(env, { key: this.#operator });
    this.#stops.push(() => service.kill());
    return service;
  }

  async #startGateway({ url }: RestartableCommitments, env: Env): Promise<GatewayProcess> {
    const gateway = await startGatewayProcess({ COMMITMENTS_URL: url, CALLER_NAME: "gateway", ...env });
    this.#stops.push(() => gateway.process.kill());
    return gateway;
  }

  async #secretFile(content: string): Promise<string> {
    const folder = await temporaryFolder();
    this.#stops.push(folder.remove);
    const file = join(folder.path, "secret");
    await writeFile(file, `${content}\n`, { mode: 0o600 });
    return file;
  }
}
