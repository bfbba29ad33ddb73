import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../../services/demo/bidders/random.ts";
import type { MariaDb } from "../../support/databases/mariadb.ts";
import type { Fault } from "./fault-injector.ts";

const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 600;

/** A service as a process that can be started again. */
export interface RestartableService {
  readonly process: { readonly pid: number };
  kill(signal: NodeJS.Signals): Promise<unknown>;
  restart(): Promise<void>;
}

/** Kills the service with SIGKILL and starts it again. */
export function killService(service: RestartableService): Fault {
  const inject = async () => {
    await service.kill("SIGKILL");
    await service.restart();
  };
  return { name: "service killed", inject };
}

/** Kills the database server with SIGKILL and starts it again. */
export function killDatabase(mariaDb: MariaDb): Fault {
  const inject = async () => {
    await mariaDb.kill("SIGKILL");
    await mariaDb.restart();
  };
  return { name: "database killed", inject };
}

/** Pauses the service in the middle of its work (SIGSTOP), then lets it continue. */
export function pauseService(service: RestartableService, random: Random): Fault {
  return { name: "service paused", inject: () => pause(service.process.pid, random) };
}

/** Pauses the database server, then lets it continue. */
export function pauseDatabase(mariaDb: MariaDb, random: Random): Fault {
  return { name: "database paused", inject: () => pause(mariaDb.pid, random) };
}

async function pause(pid: number, random: Random): Promise<void> {
  process.kill(pid, "SIGSTOP");
  await delay(random.integer(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS));
  process.kill(pid, "SIGCONT");
}
