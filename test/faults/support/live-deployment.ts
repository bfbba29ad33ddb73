import { openStore } from "../../../services/commitments/open-store.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/store/sql/schema.ts";
import { openCommitmentsDatabase, storeConfig } from "../../support/commitments-database.ts";
import { type MariaDb, startMariaDb } from "../../support/mariadb.ts";
import { type Nats, startNats } from "../../support/nats.ts";
import type { RestartableCommitments } from "../../support/restartable-commitments.ts";
import { DeploymentParts, several } from "./deployment-parts.ts";
import type { Links } from "./links.ts";
import type { RestartableGateway } from "./restartable-gateway.ts";

const SERVICES = 3;
const GATEWAYS = 2;

/**
 * Commitments services and gateways as processes of their own, with MariaDB and NATS, each of which reaches the others
 * through a proxy of its own that can be cut.
 */
export interface LiveDeployment {
  readonly mariaDb: MariaDb;
  readonly nats: Nats;
  readonly services: readonly [RestartableCommitments, ...RestartableCommitments[]];
  readonly gateways: readonly [RestartableGateway, ...RestartableGateway[]];
  readonly links: Links;
  /** A connection of the test's own, past all proxies. */
  readonly database: CommitmentsDatabase;
}

/** Everything is ended with `stack`. */
export async function startLiveDeployment(stack: AsyncDisposableStack): Promise<LiveDeployment> {
  const mariaDb = stack.adopt(await startMariaDb(), (server) => server.stop());
  const nats = stack.adopt(await startNats(), (server) => server.stop());
  const { url, database } = await commitmentsDatabase(stack, mariaDb);
  const parts = new DeploymentParts(stack, { mariaDb, nats });
  const services = await several(SERVICES, (index) => parts.startService(`service ${index}`, url));
  const gateways = await several(GATEWAYS, (index) => parts.startGateway(`gateway ${index}`, services));
  return { mariaDb, nats, services, gateways, links: parts.links, database };
}

/** An empty one with its tables, and a connection to it. */
export async function commitmentsDatabase(
  stack: AsyncDisposableStack,
  mariaDb: MariaDb,
): Promise<{ readonly url: string; readonly database: CommitmentsDatabase }> {
  const url = await mariaDb.createDatabase("faults");
  const database = { dialect: "mysql", url, remove: async () => {} } as const;
  await (await openCommitmentsDatabase(database)).close();
  return { url, database: stack.adopt(openStore(storeConfig(database)), (opened) => opened.close()) };
}
