import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createRpcTransport } from "../../../../common/platform/rpc/client/client.ts";
import { ENTITIES_AUDIENCE } from "../../../../common/platform/rpc/identity/audiences.ts";
import { findOrCreateAccount } from "../../../../services/auth/accounts/accounts-store.ts";
import { newOpaqueToken } from "../../../../services/auth/base/opaque-token.ts";
import { openStore } from "../../../../services/auth/base/open-store.ts";
import type { AuthDatabase } from "../../../../services/auth/base/schema.ts";
import { startSession } from "../../../../services/auth/sessions/sessions-store.ts";
import type { Random } from "../../../../services/demo/bidders/random.ts";
import type { EntitiesDatabase } from "../../../../services/entities/base/schema.ts";
import {
  type AuthCallerKeys,
  type AuthProcess,
  generateAuthCallerKeys,
  startAuthProcess,
} from "../../../support/processes/auth-process.ts";
import { type CommitmentsFixture, startCommitments } from "../../../support/processes/commitments-fixture.ts";
import { entitiesClients } from "../../../support/processes/entities-clients.ts";
import {
  type EntitiesCallerKeys,
  type EntitiesProcess,
  startEntitiesProcess,
} from "../../../support/processes/entities-process.ts";
import { freePort } from "../../../support/processes/free-port.ts";
import { type PausingSigner, startPausingSigner } from "../../../support/processes/pausing-signer.ts";
import { RestartableProcess } from "../../../support/processes/restartable-process.ts";
import { TcpProxy } from "../../../support/processes/tcp-proxy.ts";
import { temporaryFolder } from "../../../support/processes/temporary-folder.ts";
import { EntitiesCaller } from "../entities-caller.ts";
import type { Fault } from "../fault-injector.ts";
import type { PermitServices } from "./permit-services.ts";

const AUTH_URL = "https://auth.example";
const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 5).toString("base64url");
/** Nothing listens there: no contract is asked about its signers. */
const NOWHERE = "http://127.0.0.1:1";
const CALL_TIMEOUT_MS = 60_000;
const PAUSE_MS = { least: 100, most: 600 };

type Entities = RestartableProcess<EntitiesProcess>;
type Auth = RestartableProcess<AuthProcess>;
type Some<Item> = readonly [Item, ...Item[]];

interface Parts {
  readonly entities: Some<Entities>;
  readonly auth: Auth;
  readonly commitments: CommitmentsFixture;
  readonly authDatabase: AuthDatabase;
  readonly signer: PausingSigner;
}

/** Entities services with an auth service on SQLite; a commitments service and a remote signer of permits in this process. */
export class PermitDeployment {
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Starts the services, which end with `stack`.
   *
   * @param keys whether the database or the remote signer holds the keys that sign permits
   * @param env settings of each entities service, which say where its data are
   */
  static async start(
    stack: AsyncDisposableStack,
    keys: "stored" | "remote",
    ...env: Some<Readonly<Record<string, string>>>
  ): Promise<PermitDeployment> {
    const folder = await temporaryFolder();
    stack.defer(folder.remove);
    const signer = stack.adopt(await startPausingSigner(), (server) => server.stop());
    const starter = await ServiceStarter.begin(stack, folder.path, env.length);
    const { commitments } = starter;
    const auth = await starter.startAuth();
    const [first, ...others] = env;
    const start = (settings: typeof first, index: number) =>
      starter.startEntities({ ...settings, ...(keys === "remote" && signerSettings(signer, index)) }, index, auth);
    // The first one migrates the tables.
    const entities = [await start(first, 0)] as const;
    const rest = await Promise.all(others.map((settings, index) => start(settings, index + 1)));
    const authDatabase = await openStore({ sqliteFile: join(folder.path, "auth.sqlite") });
    stack.defer(() => authDatabase.close());
    return new PermitDeployment({ entities: [...entities, ...rest], auth, commitments, authDatabase, signer });
  }

  get entities(): Some<Entities> {
    return this.#parts.entities;
  }

  get auth(): Auth {
    return this.#parts.auth;
  }

  /** @param entitiesDatabase the test's own connection */
  services(entitiesDatabase: EntitiesDatabase, random: Random, onAsk: () => void): PermitServices {
    const { entities, auth, commitments, authDatabase } = this.#parts;
    const clientsOf = ({ running }: Entities) => ({ gateway: running.as("gateway"), operator: running.as("operator") });
    const [first, ...others] = entities;
    const people = {
      entities: [clientsOf(first), ...others.map(clientsOf)],
      auths: [auth.running.as("gateway")],
    } as const;
    return {
      caller: new EntitiesCaller(people, random),
      commitments: [commitments],
      authDatabase,
      entitiesDatabase,
      onAsk,
      signIn: () => signIn(authDatabase),
    };
  }

  /** Kills a service that has checked a permit, and has asked for its signature. The keys must be remote. */
  killBeforeRecording(service: Entities, over: AbortSignal): Fault {
    const inject = async () => {
      await this.#beforeSignature(service, over, () => service.kill("SIGKILL"));
      await service.restart();
    };
    return { name: "entities killed between check and record", inject };
  }

  /** Pauses a service that has checked a permit. The keys must be remote. */
  pauseBeforeRecording(service: Entities, random: Random, over: AbortSignal): Fault {
    const inject = async () => {
      const { pid } = service.process;
      await this.#beforeSignature(service, over, async () => process.kill(pid, "SIGSTOP"));
      await delay(random.integer(PAUSE_MS.least, PAUSE_MS.most));
      process.kill(pid, "SIGCONT");
    };
    return { name: "entities paused between check and record", inject };
  }

  /** Does something when a service asks for its next signature. Rejects if `over` aborts before. */
  async #beforeSignature(service: Entities, over: AbortSignal, work: () => Promise<unknown>): Promise<void> {
    const path = signerPath(this.entities.indexOf(service));
    const { promise: done, resolve, reject } = Promise.withResolvers<void>();
    over.addEventListener("abort", () => reject(over.reason));
    const { signer } = this.#parts;
    const wait = async (asked: string) => {
      if (asked.startsWith(path)) await work().then(() => resolve(), reject);
      else signer.before = wait;
    };
    signer.before = wait;
    await done;
  }
}

/** Starts the processes of a deployment, which know each other by their ports. */
class ServiceStarter {
  readonly commitments: CommitmentsFixture;
  readonly #stack: AsyncDisposableStack;
  readonly #folder: string;
  readonly #keys: AuthCallerKeys & EntitiesCallerKeys;
  readonly #authPort: number;
  readonly #entitiesPorts: readonly number[];
  readonly #entitiesUrl: string;

  private constructor(started: StartedFirst, stack: AsyncDisposableStack, folder: string, authPort: number) {
    const { auth, entities } = started.commitments.credentials;
    this.commitments = started.commitments;
    this.#stack = stack;
    this.#folder = folder;
    // A service has the same key wherever it calls.
    this.#keys = { ...started.keys, auth: withText(auth), entities: withText(entities) };
    this.#authPort = authPort;
    this.#entitiesPorts = started.entitiesPorts;
    this.#entitiesUrl = started.entitiesUrl;
  }

  /** Starts what the processes call, or are called through. */
  static async begin(stack: AsyncDisposableStack, folder: string, processes: number): Promise<ServiceStarter> {
    const entitiesPorts = await Promise.all(Array.from({ length: processes }, freePort));
    const toEntities = stack.use(await TcpProxy.start(entitiesPorts));
    const entitiesUrl = `http://127.0.0.1:${toEntities.port}`;
    const keys = generateAuthCallerKeys();
    const caller = { name: "commitments", key: keys.commitments.key, audience: ENTITIES_AUDIENCE };
    const { permits } = entitiesClients(
      createRpcTransport({ baseUrl: entitiesUrl, caller, defaultTimeoutMs: CALL_TIMEOUT_MS }),
    );
    const database = { dialect: "sqlite", file: join(folder, "commitments.sqlite"), remove: async () => {} } as const;
    const commitments = stack.adopt(await startCommitments(database, { permits }), (service) => service.stop());
    return new ServiceStarter({ commitments, keys, entitiesPorts, entitiesUrl }, stack, folder, await freePort());
  }

  async startAuth(): Promise<Auth> {
    const env = {
      DATA_DIR: this.#folder,
      MAIL_DIR: join(this.#folder, "mail"),
      AUTH_PORT: String(this.#authPort),
      AUTH_RATE_LIMITS: "off",
      AUTH_URL,
      KEY_ENCRYPTION_KEY,
      COMMITMENTS_URL: this.commitments.url,
      ENTITIES_URL: this.#entitiesUrl,
      CALLER_KEY: this.#keys.auth?.text ?? "",
    };
    const start = () => startAuthProcess(env, this.#keys);
    return this.#ended(new RestartableProcess(start, await start()));
  }

  /** @param settings those that differ from one service to another */
  async startEntities(settings: Readonly<Record<string, string>>, index: number, auth: Auth): Promise<Entities> {
    const env = {
      ENTITIES_PORT: String(this.#entitiesPorts[index]),
      AUTH_URL,
      AUTH_RPC_URL: auth.running.url,
      COMMITMENTS_URL: this.commitments.url,
      INDEXER_URL: NOWHERE,
      KEY_ENCRYPTION_KEY,
      CALLER_KEY: this.#keys.entities.text,
      ...settings,
    };
    const start = () => startEntitiesProcess(env, this.#keys);
    return this.#ended(new RestartableProcess(start, await start()));
  }

  #ended<Process extends { kill(): Promise<unknown> }>(process: Process): Process {
    return this.#stack.adopt(process, async () => void (await process.kill()));
  }
}

interface StartedFirst {
  readonly commitments: CommitmentsFixture;
  readonly keys: AuthCallerKeys;
  readonly entitiesPorts: readonly number[];
  /** Leads to the entities services in turn. */
  readonly entitiesUrl: string;
}

function withText({ key }: { readonly key: Uint8Array }) {
  return { key, text: Buffer.from(key).toString("base64url") };
}

/** Each service reaches the signer by a path of its own. */
function signerSettings({ config }: PausingSigner, index: number): Readonly<Record<string, string>> {
  return {
    PERMIT_SIGNER_URL: `${config.url}${signerPath(index)}`,
    PERMIT_SIGNER_SECRET: Buffer.from(config.secret).toString("base64"),
  };
}

function signerPath(index: number): string {
  return `/${index}`;
}

async function signIn(database: AuthDatabase): Promise<string> {
  const token = newOpaqueToken();
  const nowMs = BigInt(Date.now());
  await database.write(async (transaction) => {
    const account = await findOrCreateAccount(transaction, database.dialect, `${randomUUID()}@example.com`, nowMs);
    await startSession(transaction, { token, account, userAgent: "", authenticatedBy: "code" }, nowMs);
  });
  return token;
}
