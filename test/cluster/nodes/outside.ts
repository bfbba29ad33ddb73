import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { createConnection } from "mysql2/promise";
import { type MariaDb, startMariaDb } from "../../support/databases/mariadb.ts";
import { type Nats, startNats } from "../../support/processes/nats.ts";
import { type SmtpSink, startSmtpSink } from "../../support/processes/smtp-sink.ts";
import type { KubeApi } from "../support/api.ts";
import { HOST } from "./network.ts";
import { createEndpoints } from "./nodes.ts";

/** Rights of docs/operating.md for the account of the migrations, and for that of the services. */
const CHANGES = "SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX";
const ROWS = "SELECT, INSERT, UPDATE, DELETE";

/** Servers beside the cluster, at the ports that docs/kubernetes.md names: a database, a mail server, and NATS as a Service of it. */
export class OutsideServers {
  readonly database: MariaDb;
  readonly nats: Nats;
  readonly mail: SmtpSink;
  readonly #forwarders: Server[] = [];

  private constructor(database: MariaDb, nats: Nats, mail: SmtpSink) {
    this.database = database;
    this.nats = nats;
    this.mail = mail;
  }

  static async start(api: KubeApi): Promise<OutsideServers> {
    const servers = new OutsideServers(...(await Promise.all([startMariaDb(), startNats(), startSmtpSink()])));
    await createAccounts(servers.database);
    await servers.#forward(3306, servers.database.port);
    await servers.#forward(4222, Number(new URL(servers.nats.url).port));
    await servers.#forward(587, servers.mail.port);
    await createNatsService(api);
    return servers;
  }

  async stop(): Promise<void> {
    for (const server of this.#forwarders) server.close();
    await Promise.all([this.database.stop(), this.nats.stop(), this.mail.stop()]);
  }

  /** Leads a port of the host to one of the loopback network. */
  async #forward(port: number, target: number): Promise<void> {
    const server = createServer((client) => {
      const upstream = connect(target, "127.0.0.1");
      client.on("error", () => upstream.destroy());
      upstream.on("error", () => client.destroy());
      client.pipe(upstream).pipe(client);
    });
    server.listen(port, HOST);
    await once(server, "listening");
    this.#forwarders.push(server);
  }
}

async function createAccounts(database: MariaDb): Promise<void> {
  await database.createDatabase("tidemark");
  const connection = await createConnection(database.url);
  for (const [account, rights] of [
    ["tidemark_owner", CHANGES],
    ["tidemark", ROWS],
  ]) {
    await connection.query(`CREATE USER ${account} IDENTIFIED BY 'password'`);
    await connection.query(`GRANT ${rights} ON tidemark.* TO ${account}`);
  }
  await connection.end();
}

async function createNatsService(api: KubeApi): Promise<void> {
  const ports = [{ name: "client", protocol: "TCP", port: 4222 }];
  await api.create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "nats" } });
  await api.create("/api/v1/namespaces/nats/services", {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "nats" },
    spec: { ports },
  });
  await createEndpoints(api, "nats", "nats", ports);
}
