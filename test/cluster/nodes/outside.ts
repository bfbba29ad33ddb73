import { once } from "node:events";
import { connect, createServer } from "node:net";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { type MariaDb, startMariaDb } from "../../support/databases/mariadb.ts";
import { anvilChain } from "../../support/processes/indexer-process.ts";
import { startNats } from "../../support/processes/nats.ts";
import { startNatsCluster } from "../../support/processes/nats-cluster.ts";
import { type SmtpSink, startSmtpSink } from "../../support/processes/smtp-sink.ts";
import { isConflict, type KubeApi } from "../support/api.ts";
import { HOST } from "./network.ts";
import { createEndpoints } from "./nodes.ts";

/** Name of the chain in the sales of cases, and the Secret that leads the indexer to its node. */
export const CHAIN = { name: "local", secret: "tidemark-chains" } as const;

/** The command that makes the Secret with the chain. */
export function chainsSecret({ anvil }: OutsideServers): string {
  const url = `http://${HOST}:${OUTSIDE_PORTS.node}`;
  const chains = JSON.stringify({ [CHAIN.name]: anvilChain(url, anvil.chainId, { pollInterval: "500ms" }) });
  return `kubectl create secret generic ${CHAIN.secret} --from-literal=chains.json='${chains}'`;
}

/** Rights of docs/operating.md for the account of the migrations, and for that of the services. */
export const DATABASE_RIGHTS = {
  changes: "SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX",
  rows: "SELECT, INSERT, UPDATE, DELETE",
} as const;

/** Ports of the host. Those of the API server would lead others than the indexer to the chain's node. */
export const OUTSIDE_PORTS = { database: 3306, bus: 4222, mail: 587, node: 8545 } as const;

/** Servers beside the cluster, at the ports that the chart's policies name: a database, a mail server, a chain's node, and NATS. */
export class OutsideServers {
  readonly database: MariaDb;
  /** URLs of the servers of NATS, from the host. */
  readonly busUrls: readonly string[];
  readonly mail: SmtpSink;
  /** A chain of its own, with a block for each transaction. */
  readonly anvil: Anvil;
  readonly chain: TestChain;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    stack: AsyncDisposableStack,
    servers: Pick<OutsideServers, "database" | "busUrls" | "mail" | "anvil" | "chain">,
  ) {
    this.#stack = stack;
    this.database = servers.database;
    this.busUrls = servers.busUrls;
    this.mail = servers.mail;
    this.anvil = servers.anvil;
    this.chain = servers.chain;
  }

  static async start(api: KubeApi, hasBusCluster: boolean): Promise<OutsideServers> {
    await using stack = new AsyncDisposableStack();
    const timestamp = Math.floor(Date.now() / 1_000);
    const database = stack.adopt(await startMariaDb(), (server) => server.stop());
    const mail = stack.adopt(await startSmtpSink(), (sink) => sink.stop());
    const anvil = stack.adopt(await startAnvil({ mining: "auto", timestamp }), (node) => node.stop());
    const busUrls = await startBus(stack, hasBusCluster);
    const chain = await TestChain.connect(anvil);
    await createAccounts(database);
    await createNatsService(api);
    const servers = new OutsideServers(stack.move(), { database, busUrls, mail, anvil, chain });
    await servers.#forward(OUTSIDE_PORTS.database, database.port);
    await servers.#forward(OUTSIDE_PORTS.bus, ...busUrls.map(portOf));
    await servers.#forward(OUTSIDE_PORTS.mail, mail.port);
    await servers.#forward(OUTSIDE_PORTS.node, portOf(anvil.url));
    return servers;
  }

  /** Rows of a statement on the release's database, as its administrator. */
  async query(text: string, ...values: readonly (string | number)[]): Promise<readonly RowDataPacket[]> {
    const connection = await createConnection(`${this.database.url}/tidemark`);
    const [rows] = await connection.query<RowDataPacket[]>(text, [...values]);
    await connection.end();
    return rows;
  }

  stop(): Promise<void> {
    return this.#stack.disposeAsync();
  }

  /** Leads a port of the host to some of the loopback network in turn. */
  async #forward(port: number, ...targets: readonly number[]): Promise<void> {
    let connections = 0;
    const server = createServer((client) => {
      const upstream = connect(targets[connections++ % targets.length] ?? 0, "127.0.0.1");
      client.on("error", () => upstream.destroy());
      upstream.on("error", () => client.destroy());
      client.pipe(upstream).pipe(client);
    });
    server.listen(port, HOST);
    await once(server, "listening");
    this.#stack.defer(() => void server.close());
  }
}

/** One server, or a cluster of three that lets streams have three replicas. */
async function startBus(stack: AsyncDisposableStack, isCluster: boolean): Promise<readonly string[]> {
  if (isCluster) return [...(await startNatsCluster(stack)).values()].map(({ url }) => url);
  return [stack.adopt(await startNats(), (server) => server.stop()).url];
}

async function createAccounts(database: MariaDb): Promise<void> {
  await database.createDatabase("tidemark");
  const connection = await createConnection(database.url);
  for (const [account, rights] of [
    ["tidemark_owner", DATABASE_RIGHTS.changes],
    ["tidemark", DATABASE_RIGHTS.rows],
  ]) {
    await connection.query(`CREATE USER ${account} IDENTIFIED BY 'password'`);
    await connection.query(`GRANT ${rights} ON tidemark.* TO ${account}`);
  }
  await connection.end();
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

/** It stays for the next servers at the same port. */
async function createNatsService(api: KubeApi): Promise<void> {
  try {
    await createServiceOf(api);
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
}

async function createServiceOf(api: KubeApi): Promise<void> {
  const ports = [{ name: "client", protocol: "TCP", port: OUTSIDE_PORTS.bus }];
  await api.create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "nats" } });
  await api.create("/api/v1/namespaces/nats/services", {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "nats" },
    spec: { ports },
  });
  await createEndpoints(api, "nats", "nats", ports);
}
