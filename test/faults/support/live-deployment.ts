import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";
import { openStore } from "../../../services/commitments/open-store.ts";
import { openCommitmentsDatabase, storeConfig } from "../../support/databases/commitments-database.ts";
import { type MariaDb, startMariaDb } from "../../support/databases/mariadb.ts";
import { type Nats, startNats } from "../../support/processes/nats.ts";
import type { RestartableCommitments } from "../../support/processes/restartable-commitments.ts";
import { DeploymentBuilder, several } from "./deployment-builder.ts";
import type { Links } from "./links.ts";
import type { RestartableGateway } from "./restartable-gateway.ts";

const SERVICES = 3;
const GATEWAYS = 2;

/**
 * Commitments services and gateways in separate processes, with MariaDB and NATS. Each process reaches the others through its
 * own links, which can be cut.
 */
export interface LiveDeployment {
  readonly mariaDb: MariaDb;
  readonly nats: Nats;
  readonly services: readonly [RestartableCommitments, ...RestartableCommitments[]];
  readonly gateways: readonly [RestartableGateway, ...RestartableGateway[]];
  readonly links: Links;
  /** The test's own connection, which uses no link. */
  readonly database: CommitmentsDatabase;
}

/** Starts the deployment, which ends with `stack`. */
export async function startLiveDeployment(stack: AsyncDisposableStack): Promise<LiveDeployment> {
  const mariaDb = stack.adopt(await startMariaDb(), (server) => server.stop());
  const nats = stack.adopt(await startNats(), (server) => server.stop());
  const { url, database } = await commitmentsDatabase(stack, mariaDb);
  const builder = new DeploymentBuilder(stack, { mariaDb, nats });
  const services = await several(SERVICES, (index) => builder.startService(`service ${index}`, url));
  const gateways = await several(GATEWAYS, (index) => builder.startGateway(`gateway ${index}`, services));
  return { mariaDb, nats, services, gateways, links: builder.links, database };
}

/** Creates a database with empty tables and connects to it. */
export async function commitmentsDatabase(
  stack: AsyncDisposableStack,
  mariaDb: MariaDb,
): Promise<{ readonly url: string; readonly database: CommitmentsDatabase }> {
  const url = await mariaDb.createDatabase("faults");
  const database = { dialect: "mysql", url, remove: async () => {} } as const;
  await (await openCommitmentsDatabase(database)).close();
  return { url, database: stack.adopt(await openStore(storeConfig(database)), (opened) => opened.close()) };
}
