import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@connectrpc/connect";
import { createRpcTransport } from "../../../common/platform/rpc/client/client.ts";
import { COMMITMENTS_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { type MariaDb, startMariaDb } from "../../support/databases/mariadb.ts";
import { type AuthProcess, generateAuthCallerKeys, startAuthProcess } from "../../support/processes/auth-process.ts";
import { inheritedEnvironment } from "../../support/processes/child-process.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { type EntitiesProcess, startEntitiesProcess } from "../../support/processes/entities-process.ts";
import { type GatewayProcess, startGatewayProcess } from "../../support/processes/gateway-process.ts";
import {
  anvilChain,
  type IndexerProcess,
  indexerKey,
  startIndexerProcess,
} from "../../support/processes/indexer-process.ts";
import { startNats } from "../../support/processes/nats.ts";
import { type SmtpSink, startSmtpSink } from "../../support/processes/smtp-sink.ts";
import { REPOSITORY_ROOT } from "../../support/repository/repository.ts";
import { Balancer } from "./balancer.ts";
import { mainOf, Replicas } from "./replicas.ts";

/** Time in which a balancer may still send connections. */
const DRAIN_DELAY = "1s";
const CALL_TIMEOUT_MS = 30_000;
const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64url");

/** Replicas of every component behind balancers, on MariaDB, NATS and a chain. */
export interface Deployment {
  readonly commitments: Replicas<CommitmentsProcess>;
  readonly auth: Replicas<AuthProcess>;
  readonly indexer: Replicas<IndexerProcess>;
  /** None while the version that runs has no entities service. */
  readonly entities: Replicas<EntitiesProcess>;
  readonly gateway: Replicas<GatewayProcess>;
  readonly mariaDb: MariaDb;
  readonly smtp: SmtpSink;
  readonly anvil: Anvil;
  /** Clients with the operator's key, through the balancer. */
  readonly clients: Pick<CommitmentsProcess, "sales" | "commitments">;
  /** Migrates the tables by the version in the folder `root`. */
  migrate(root: string): Promise<void>;
}

export interface DeploymentOptions {
  /** The number of replicas of each component. Default: 2. */
  readonly replicas?: number;
  /** The folder of the version that everything starts with. Default: this one. */
  readonly root?: string;
  /** Environment variables for all of them. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the deployment, which ends with `stack`. */
export async function startDeployment(
  stack: AsyncDisposableStack,
  { replicas = 2, root = REPOSITORY_ROOT, env = {} }: DeploymentOptions = {},
): Promise<Deployment> {
  const mariaDb = stack.adopt(await startMariaDb(), (server) => server.stop());
  const nats = stack.adopt(await startNats(), (server) => server.stop());
  const anvil = stack.adopt(await startAnvil(), (node) => node.stop());
  const smtp = stack.adopt(await startSmtpSink(), (sink) => sink.stop());
  const store = { MYSQL_URL: await mariaDb.createDatabase("upgrade") };
  const migrate = async (version: string) => {
    const mains = ["commitments", "auth", "entities"].map(mainOf);
    for (const main of mains.filter((path) => existsSync(join(version, path)))) {
      const env = { ...inheritedEnvironment(), ...store };
      await promisify(execFile)(process.execPath, [main, "--migrate"], { cwd: version, env });
    }
  };
  await migrate(root);

  const keys = generateAuthCallerKeys();
  const [operator, ownOfAuth] = [generateCallerKey(), generateCallerKey()];
  const common = { DRAIN_DELAY, ...env };
  const onStore = { ...common, ...store, MIGRATIONS: "off" };
  const onBus = { NATS_URL: nats.url, NATS_STREAM_MAX_BYTES: "256MiB" };
  const otherCallers = {
    gateway: keys.gateway.text,
    auth: ownOfAuth.text,
    indexer: indexerKey.text,
    entities: keys.entities.text,
  };

  const entitiesBalancer = await Balancer.start();
  const toEntities = { ENTITIES_URL: entitiesBalancer.url };
  const ofCommitments = { ...toEntities, CALLER_NAME: "commitments", CALLER_KEY: keys.commitments.text };
  const commitments = stack.use(
    await Replicas.create("commitments", (version) =>
      startCommitmentsProcess(
        { ...onStore, ...onBus, ...ofCommitments },
        { key: operator, otherCallers, root: version },
      ),
    ),
  );
  const gatewayBalancer = await Balancer.start();
  const AUTH_URL = gatewayBalancer.url;
  const auth = stack.use(
    await Replicas.create("auth", (version) =>
      startAuthProcess(
        {
          ...onStore,
          AUTH_URL,
          KEY_ENCRYPTION_KEY,
          AUTH_RATE_LIMITS: "off",
          SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
          MAIL_FROM: "Tidemark <sign-in@tidemark.example>",
          COMMITMENTS_URL: commitments.url,
          ...toEntities,
          CALLER_KEY: ownOfAuth.text,
        },
        keys,
        version,
      ),
    ),
  );
  const ofIndexer = `operator=${indexerKey.text},entities=${keys.entities.text}`;
  const chains = { local: anvilChain(anvil.url, anvil.chainId) };
  const indexer = stack.use(
    await Replicas.create("indexer", (version) =>
      startIndexerProcess(commitments.url, chains, { ...common, CALLER_KEYS: ofIndexer }, version),
    ),
  );
  const entities = stack.use(
    new Replicas("entities", entitiesBalancer, (version) =>
      startEntitiesProcess(
        {
          ...onStore,
          AUTH_URL,
          KEY_ENCRYPTION_KEY,
          AUTH_RPC_URL: auth.url,
          COMMITMENTS_URL: commitments.url,
          INDEXER_URL: indexer.url,
          CALLER_KEY: keys.entities.text,
        },
        { ...keys, auth: ownOfAuth },
        version,
      ),
    ),
  );
  const gateway = stack.use(
    new Replicas("gateway", gatewayBalancer, (version) =>
      startGatewayProcess(
        {
          ...common,
          ...onBus,
          AUTH_URL,
          AUTH_RPC_URL: auth.url,
          COMMITMENTS_URL: commitments.url,
          ...toEntities,
          CALLER_NAME: "gateway",
          CALLER_KEY: keys.gateway.text,
        },
        version,
      ),
    ),
  );
  for (const component of [commitments, auth, indexer, entities, gateway]) await component.scale(replicas, root);
  const caller = { name: "operator", key: operator.key, audience: COMMITMENTS_AUDIENCE };
  const transport = createRpcTransport({ baseUrl: commitments.url, caller, defaultTimeoutMs: CALL_TIMEOUT_MS });
  const clients = {
    sales: createClient(SaleService, transport),
    commitments: createClient(CommitmentService, transport),
  };
  return { commitments, auth, indexer, entities, gateway, mariaDb, smtp, anvil, clients, migrate };
}
