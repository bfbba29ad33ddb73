import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../../services/demo/random.ts";
import type { ProcessExit, RunningProcess } from "../../support/child-process.ts";
import type { Fault } from "./fault-injector.ts";

/** How long something is away, in milliseconds. */
export type Span = readonly [least: number, most: number];
export const MOMENT: Span = [50, 1_500];
/** A process that finds another part away when it starts ends, and is started again, as by Kubernetes. */
const START_ATTEMPTS = 120;
const START_PAUSE_MS = 250;

/** What can be killed and started again. */
export interface Restartable {
  readonly pid: number;
  /** @returns how it has ended, where that is known */
  kill(signal: NodeJS.Signals): Promise<ProcessExit | undefined>;
  restart(): Promise<void>;
}

/** One of our own components, as a process. */
export interface Component {
  readonly process: Pick<RunningProcess, "pid" | "output">;
  kill(signal: NodeJS.Signals): Promise<ProcessExit>;
  restart(): Promise<void>;
}

export function processOf(part: Component): Restartable {
  return { pid: part.process.pid, kill: (signal) => part.kill(signal), restart: () => part.restart() };
}

/** A server that isn't ours; that it ends by itself is a fault like any other. */
export function serverOf(server: {
  readonly pid: number;
  kill(signal: NodeJS.Signals): Promise<void>;
  restart(): Promise<void>;
}): Restartable {
  const kill = (signal: NodeJS.Signals) => server.kill(signal).then(() => undefined);
  return { pid: server.pid, kill, restart: () => server.restart() };
}

/** SIGKILL, and a new start. Its `strike` throws where the process had ended by itself. */
export function kill(name: string, victim: () => Restartable, random: Random): Fault {
  const strike = async () => {
    const struck = victim();
    const exit = await struck.kill("SIGKILL");
    if (exit !== undefined && exit.signal !== "SIGKILL") {
      throw new Error(`${name}: it had ended before, with code ${exit.code} or signal ${exit.signal}`);
    }
    await wait(random);
    await startAgain(struck);
  };
  return { name, strike };
}

/** It stands still, in the middle of whatever it does, and goes on as if nothing had happened. */
export function pause(
  name: string,
  victim: () => Pick<Restartable, "pid">,
  random: Random,
  span: Span = MOMENT,
): Fault {
  const strike = async () => {
    const { pid } = victim();
    process.kill(pid, "SIGSTOP");
    await wait(random, span);
    process.kill(pid, "SIGCONT");
  };
  return { name, strike };
}

export function wait(random: Random, [least, most]: Span = MOMENT): Promise<void> {
  return delay(random.integer(least, most));
}

/** As whoever watches over a server does. */
export async function startWhereEnded(server: Restartable): Promise<void> {
  if (!isRunning(server.pid)) await startAgain(server);
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function startAgain(struck: Restartable): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await struck.restart();
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw error;
    }
    await delay(START_PAUSE_MS);
  }
}
