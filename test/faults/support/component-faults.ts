import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../../services/demo/bidders/random.ts";
import type { ProcessExit, RunningProcess } from "../../support/processes/child-process.ts";
import type { Fault } from "./fault-injector.ts";

/** The shortest and longest duration of a fault, in milliseconds. */
export type Span = readonly [least: number, most: number];
export const MOMENT: Span = [50, 1_500];
/** A process that doesn't find a server that it needs ends at its start. It is then started again, as Kubernetes does. */
const START_ATTEMPTS = 120;
const START_PAUSE_MS = 250;

/** A process that can be killed and started again. */
export interface Restartable {
  readonly pid: number;
  /** Kills the process. @returns how it ended, if that is known */
  kill(signal: NodeJS.Signals): Promise<ProcessExit | undefined>;
  restart(): Promise<void>;
}

/** A process of one of our own components. */
export interface Component {
  readonly process: Pick<RunningProcess, "pid" | "output">;
  kill(signal: NodeJS.Signals): Promise<ProcessExit>;
  restart(): Promise<void>;
}

export function processOf(part: Component): Restartable {
  return { pid: part.process.pid, kill: (signal) => part.kill(signal), restart: () => part.restart() };
}

/** Wraps a server that isn't ours. It may end by itself, which isn't a defect of ours. */
export function serverOf(server: {
  readonly pid: number;
  kill(signal: NodeJS.Signals): Promise<void>;
  restart(): Promise<void>;
}): Restartable {
  const kill = (signal: NodeJS.Signals) => server.kill(signal).then(() => undefined);
  return { pid: server.pid, kill, restart: () => server.restart() };
}

/** Kills a process with SIGKILL and starts it again. `inject` throws if the process had already ended by itself. */
export function kill(name: string, victim: () => Restartable, random: Random): Fault {
  const inject = async () => {
    const target = victim();
    const exit = await target.kill("SIGKILL");
    if (exit !== undefined && exit.signal !== "SIGKILL") {
      throw new Error(`${name}: it had ended before, with code ${exit.code} or signal ${exit.signal}`);
    }
    await wait(random);
    await startAgain(target);
  };
  return { name, inject };
}

/** Pauses a process in the middle of its work (SIGSTOP), then lets it continue. */
export function pause(
  name: string,
  victim: () => Pick<Restartable, "pid">,
  random: Random,
  span: Span = MOMENT,
): Fault {
  const inject = async () => {
    const { pid } = victim();
    process.kill(pid, "SIGSTOP");
    await wait(random, span);
    process.kill(pid, "SIGCONT");
  };
  return { name, inject };
}

export function wait(random: Random, [least, most]: Span = MOMENT): Promise<void> {
  return delay(random.integer(least, most));
}

/** Starts a server again if it has ended, as a supervisor does. */
export async function startIfEnded(server: Restartable): Promise<void> {
  if (!isRunning(server.pid)) await startAgain(server);
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function startAgain(target: Restartable): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await target.restart();
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw error;
    }
    await delay(START_PAUSE_MS);
  }
}
