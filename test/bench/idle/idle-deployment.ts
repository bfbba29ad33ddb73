import { COMMITMENTS_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { type CallerCredentials, generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { type MariaDb, startMariaDb } from "../../support/databases/mariadb.ts";
import { generateAuthCallerKeys, startAuthProcess } from "../../support/processes/auth-process.ts";
import type { RunningProcess } from "../../support/processes/child-process.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { startEntitiesProcess } from "../../support/processes/entities-process.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { type GatewayProcess, startGatewayProcess } from "../../support/processes/gateway-process.ts";
import { anvilChain, indexerKey, startIndexerProcess } from "../../support/processes/indexer-process.ts";
import { type Nats, startNats } from "../../support/processes/nats.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { type CountingProxy, startCountingProxy } from "../support/counting-proxy.ts";

const GATEWAYS = 3;
const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64url");
/** The defaults, which tests shorten. */
const INDEXER_DEFAULTS = { SALES_INTERVAL: "2s", LEASE_DURATION: "6s" };
const POLL_INTERVAL = "2s";

/** Two processes of each service and three gateways on MariaDB, NATS and a chain, all with default settings. */
export interface IdleDeployment {
  /** Process IDs by component. */
  readonly components: ReadonlyMap<string, readonly number[]>;
  readonly service: CommitmentsProcess;
  readonly gateways: readonly GatewayProcess[];
  readonly mariaDb: MariaDb;
  readonly nats: Nats;
  /** `host:port` of the monitoring of NATS. */
  readonly natsMonitor: string;
  readonly anvil: Anvil;
  /** The indexers' way to the chain. */
  readonly node: CountingProxy;
  readonly credentials: CallerCredentials;
}

/** Starts the deployment, which ends with `stack`. */
export async function startIdleDeployment(stack: AsyncDisposableStack): Promise<IdleDeployment> {
  const mariaDb = stack.adopt(await startMariaDb(), (server) => server.stop());
  const natsMonitor = `127.0.0.1:${await freePort()}`;
  const nats = stack.adopt(await startNats(`http: "${natsMonitor}"\n`), (server) => server.stop());
  const anvil = stack.adopt(await startAnvil(), (node) => node.stop());
  const node = stack.adopt(await startCountingProxy(anvil.url), (proxy) => proxy.close());
  const mails = stack.adopt(await temporaryFolder(), (folder) => folder.remove());
  const components = new Map<string, readonly number[]>();
  const ended = <Each extends { readonly process: RunningProcess }>(name: string, each: Each): Each => {
    stack.defer(async () => void (await each.process.kill("SIGTERM")));
    components.set(name, [...(components.get(name) ?? []), each.process.pid]);
    return each;
  };
  const [commitmentsPorts, authPorts, entitiesPorts, indexerPorts, gatewayPort] = [
    await twoPorts(),
    await twoPorts(),
    await twoPorts(),
    await twoPorts(),
    await freePort(),
  ];
  const keys = generateAuthCallerKeys();
  const [operator, ownOfAuth] = [generateCallerKey(), generateCallerKey()];
  const AUTH_URL = `http://127.0.0.1:${gatewayPort}`;
  const upstreams = {
    COMMITMENTS_URL: urls(commitmentsPorts),
    AUTH_RPC_URL: urls(authPorts),
    ENTITIES_URL: urls(entitiesPorts),
    INDEXER_URL: urls(indexerPorts),
    AUTH_URL,
  };
  const onBus = { NATS_URL: nats.url, NATS_STREAM_MAX_BYTES: "256MiB" };
  const storeOf = async (name: string) => ({ MYSQL_URL: await mariaDb.createDatabase(name), KEY_ENCRYPTION_KEY });
  const stores = {
    commitments: await storeOf("commitments"),
    auth: await storeOf("auth"),
    entities: await storeOf("entities"),
  };
  const callersOfIndexer = [
    `operator=${indexerKey.text}`,
    `entities=${keys.entities.text}`,
    `commitments=${keys.commitments.text}`,
    `gateway=${keys.gateway.text}`,
  ];
  const otherCallers = {
    gateway: keys.gateway.text,
    auth: ownOfAuth.text,
    indexer: indexerKey.text,
    entities: keys.entities.text,
  };
  const services: CommitmentsProcess[] = [];
  for (const port of commitmentsPorts) {
    const caller = { CALLER_NAME: "commitments", CALLER_KEY: keys.commitments.text };
    // Without auth, whose sales open only with a client.
    const env = { ENTITIES_URL: upstreams.ENTITIES_URL, ...stores.commitments, ...onBus, ...caller };
    services.push(ended("commitments", await startCommitmentsProcess(env, { port, key: operator, otherCallers })));
  }
  const mail = { MAIL_DIR: mails.path };
  for (const port of authPorts) {
    const env = { ...upstreams, ...stores.auth, ...mail, AUTH_PORT: String(port), CALLER_KEY: ownOfAuth.text };
    ended("auth", await startAuthProcess(env, keys));
  }
  const chains = { local: anvilChain(node.url, anvil.chainId, { pollInterval: POLL_INTERVAL }) };
  for (const port of indexerPorts) {
    const env = { ...INDEXER_DEFAULTS, INDEXER_PORT: String(port), CALLER_KEYS: callersOfIndexer.join(",") };
    ended("indexer", await startIndexerProcess(upstreams.COMMITMENTS_URL, chains, env));
  }
  for (const port of entitiesPorts) {
    const env = { ...upstreams, ...stores.entities, ENTITIES_PORT: String(port), CALLER_KEY: keys.entities.text };
    ended("entities", await startEntitiesProcess(env, { ...keys, auth: ownOfAuth }));
  }
  const gateways: GatewayProcess[] = [];
  while (gateways.length < GATEWAYS) {
    const port = gateways.length === 0 ? { GATEWAY_PORT: String(gatewayPort) } : {};
    const env = { ...upstreams, ...onBus, ...port, CALLER_NAME: "gateway", CALLER_KEY: keys.gateway.text };
    gateways.push(ended("gateway", await startGatewayProcess(env)));
  }
  const [service] = services;
  if (service === undefined) throw new Error("no commitments service was started");
  const credentials = { name: "operator", key: operator.key, audience: COMMITMENTS_AUDIENCE };
  return { components, service, gateways, mariaDb, nats, natsMonitor, anvil, node, credentials };
}

async function twoPorts(): Promise<readonly number[]> {
  return [await freePort(), await freePort()];
}

function urls(ports: readonly number[]): string {
  return ports.map((port) => `http://127.0.0.1:${port}`).join(",");
}
