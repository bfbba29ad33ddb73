import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../../services/demo/random.ts";
import type { MariaDb } from "../../support/mariadb.ts";
import type { Fault } from "./fault-injector.ts";

const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 600;

/** A service as a process that can be started again. */
export interface RestartableService {
  readonly process: { readonly pid: number };
  kill(signal: NodeJS.Signals): Promise<unknown>;
  restart(): Promise<void>;
}

/** SIGKILL of the service, and a new start. */
export function killService(service: RestartableService): Fault {
  const strike = async () => {
    await service.kill("SIGKILL");
    await service.restart();
  };
  return { name: "service killed", strike };
}

/** SIGKILL of the database server, and a new start. */
export function killDatabase(mariaDb: MariaDb): Fault {
  const strike = async () => {
    await mariaDb.kill("SIGKILL");
    await mariaDb.restart();
  };
  return { name: "database killed", strike };
}

/** The service stands still, in the middle of whatever it does, and goes on as if nothing had happened. */
export function pauseService(service: RestartableService, random: Random): Fault {
  return { name: "service paused", strike: () => pause(service.process.pid, random) };
}

/** The database server stands still and goes on. */
export function pauseDatabase(mariaDb: MariaDb, random: Random): Fault {
  return { name: "database paused", strike: () => pause(mariaDb.pid, random) };
}

async function pause(pid: number, random: Random): Promise<void> {
  process.kill(pid, "SIGSTOP");
  await delay(random.integer(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS));
  process.kill(pid, "SIGCONT");
}
