import { freePort } from "../processes/free-port.ts";
import { findProgram, GALERA_PROVIDER, isInstalled } from "../processes/program.ts";
import { type MariaDb, startMariaDb } from "./mariadb.ts";

/** The programs by which a new server gets its data from another one. */
const TRANSFER_PROGRAMS = ["rsync", "ss"];

export const GALERA_NODES = 3;

/** Names of what is missing for a cluster; empty where one can be started. */
export function missingForGalera(): readonly string[] {
  const programs = ["mariadbd", ...TRANSFER_PROGRAMS].filter((name) => findProgram(name) === undefined);
  return isInstalled("galera-4") ? programs : [...programs, "galera-4"];
}

/**
 * Starts three MariaDB servers that replicate by Galera; each takes writes. A statement on one of them sees all that was
 * committed on any of them before (`wsrep_sync_wait`). About half a minute. Ended with `stack`.
 */
export async function startGalera(stack: AsyncDisposableStack): Promise<readonly MariaDb[]> {
  const groupPorts: number[] = [];
  const nodes: MariaDb[] = [];
  while (nodes.length < GALERA_NODES) {
    const groupPort = await freePort();
    const args = await memberArguments(groupPort, groupPorts);
    groupPorts.push(groupPort);
    nodes.push(stack.adopt(await startMariaDb({ cluster: { args, ready: READY } }), (node) => node.stop()));
  }
  return nodes;
}

/** Logged by a server that has what the others have. */
const READY = /Synchronized with group, ready for connections/;

/** @param others the ports of the servers that run already; none for the first one, which founds the cluster */
async function memberArguments(groupPort: number, others: readonly number[]): Promise<readonly string[]> {
  const [incrementalPort, transferPort] = [await freePort(), await freePort()];
  const provider = {
    "gmcast.listen_addr": `tcp://127.0.0.1:${groupPort}`,
    base_host: "127.0.0.1",
    base_port: groupPort,
    "ist.recv_addr": `127.0.0.1:${incrementalPort}`,
    "gcache.size": "32M",
  };
  return [
    "--wsrep-on=ON",
    `--wsrep-provider=${GALERA_PROVIDER}`,
    `--wsrep-provider-options=${Object.entries(provider)
      .map(([name, value]) => `${name}=${value}`)
      .join(";")}`,
    "--wsrep-cluster-name=test",
    `--wsrep-cluster-address=gcomm://${others.map((port) => `127.0.0.1:${port}`).join(",")}`,
    // Otherwise it looks for an address by a route that this machine may not have.
    `--wsrep-node-address=127.0.0.1:${groupPort}`,
    "--wsrep-sst-method=rsync",
    `--wsrep-sst-receive-address=127.0.0.1:${transferPort}`,
    "--wsrep-sync-wait=7",
    "--binlog-format=ROW",
    "--innodb-autoinc-lock-mode=2",
    ...(others.length === 0 ? ["--wsrep-new-cluster"] : []),
  ];
}
