import { readdir, readFile } from "node:fs/promises";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { cpuMicros } from "../support/process-usage.ts";
import type { IdleDeployment } from "./idle-deployment.ts";

/** Use of processes since they began. */
export interface Usage {
  readonly cpuMicros: number;
  /** How often the main threads have begun to wait: as often they were woken. */
  readonly wakeUps: number;
  /** The same of all threads. */
  readonly switches: number;
}

/** Use of a deployment since it began. */
export interface Counts {
  readonly atMs: number;
  /** By component; `database`, `bus` and `bare` are others' processes. */
  readonly usage: ReadonlyMap<string, Usage>;
  readonly statements: number;
  /** Messages to NATS and from it. */
  readonly messages: number;
  /** HTTP requests for the chain. */
  readonly chainPosts: number;
}

/** Counts. @param bare the bare processes that are measured beside the deployment */
export async function countAll(deployment: IdleDeployment, bare: readonly number[]): Promise<Counts> {
  const { components, mariaDb, nats, natsMonitor, node } = deployment;
  const all = new Map<string, readonly number[]>([
    ...components,
    ["database", [mariaDb.pid]],
    ["bus", [nats.pid]],
    ["bare", bare],
  ]);
  const { in_msgs, out_msgs } = await (await fetch(`http://${natsMonitor}/varz`)).json();
  const usages = [...all].map(async ([name, pids]): Promise<[string, Usage]> => [name, await usageOf(pids)]);
  return {
    atMs: performance.now(),
    usage: new Map(await Promise.all(usages)),
    statements: await statementsOf(mariaDb.url),
    messages: in_msgs + out_msgs,
    chainPosts: node.posts(),
  };
}

async function usageOf(pids: readonly number[]): Promise<Usage> {
  const each = await Promise.all(
    pids.map(async (pid) => {
      const threads = await readdir(`/proc/${pid}/task`);
      const switches = await Promise.all(threads.map((thread) => voluntarySwitches(`${pid}/task/${thread}`)));
      return {
        cpuMicros: await cpuMicros(pid),
        wakeUps: await voluntarySwitches(`${pid}/task/${pid}`),
        switches: switches.reduce((sum, value) => sum + value, 0),
      };
    }),
  );
  const sum = (of: (usage: Usage) => number) => each.reduce((total, usage) => total + of(usage), 0);
  return {
    cpuMicros: sum((usage) => usage.cpuMicros),
    wakeUps: sum((usage) => usage.wakeUps),
    switches: sum((usage) => usage.switches),
  };
}

/** Returns how often a thread has begun to wait. Source: proc(5). */
async function voluntarySwitches(path: string): Promise<number> {
  const status = await readFile(`/proc/${path}/status`, "utf8");
  return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1]);
}

async function statementsOf(url: string): Promise<number> {
  const connection = await createConnection(url);
  const [rows] = await connection.query<RowDataPacket[]>("show global status like 'Questions'");
  await connection.end();
  return Number(rows[0]?.["Value"]);
}
