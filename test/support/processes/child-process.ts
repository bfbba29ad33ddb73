import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { guardProcessGroup, killProcessGroup } from "../../../services/demo/chain/process-guard.ts";
import { imageEnv } from "../repository/image-description.ts";
import { POLL_TIMEOUT_MS } from "../repository/polling.ts";
import { REPOSITORY_ROOT } from "../repository/repository.ts";
import { LineLog } from "./line-log.ts";

/** Default limit for a process to print its readiness line, or to end after a signal. */
const DEFAULT_TIMEOUT_MS = POLL_TIMEOUT_MS;

/** The variables that every process gets from this one. */
const INHERITED = ["PATH", "HOME", "TMPDIR", "NODE_COMPILE_CACHE"];

/** Program to run, and the line by which it says that it is ready. */
export interface ProcessOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to those of `INHERITED`; nothing else of this process's environment is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** The working folder; the repository's root by default. */
  readonly cwd?: string | undefined;
  /** The number of the user and group to run it as, which only root can choose; this process's own by default. */
  readonly user?: number;
  /** A line on stdout or stderr that says that the process is ready; none: ready as soon as it runs. */
  readonly ready?: RegExp;
  /** `POLL_TIMEOUT_MS` by default. */
  readonly readyTimeoutMs?: number;
}

/** End of a process: one of the two is null. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that was started and is ready. It dies with this one, however this one ends. */
export class RunningProcess {
  readonly pid: number;
  /** Settles when the process has ended and all its output was read; never rejects. */
  readonly exited: Promise<ProcessExit>;
  readonly #child: ChildProcess;
  readonly #log: LineLog;
  readonly #ended = new AbortController();

  constructor(child: ChildProcess, pid: number, log: LineLog) {
    this.#child = child;
    this.pid = pid;
    this.#log = log;
    this.exited = once(child, "close").then(([code, signal]) => {
      this.#ended.abort(new Error(`process ${pid} ended (code ${code}, signal ${signal})`));
      return { code, signal };
    });
  }

  /** The latest output, stdout and stderr together, at most about 10 MB. */
  output(): string {
    return this.#log.text();
  }

  /**
   * Waits for a line of output, one printed already included.
   *
   * @throws Error with the output so far when the process ends first or the time is over.
   */
  async waitForLine(pattern: RegExp, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<RegExpExecArray> {
    try {
      return await this.#log.match(pattern, AbortSignal.any([this.#ended.signal, AbortSignal.timeout(timeoutMs)]));
    } catch (cause) {
      throw new Error(`no line matching ${pattern}: ${cause}\n${this.output()}`, { cause });
    }
  }

  /** Sends a signal without waiting for what it does, `SIGSTOP` for example. */
  signal(signal: NodeJS.Signals): void {
    // Not child.kill: on Deno 2.9 that sends one signal only and ignores later ones.
    if (this.#child.exitCode === null && this.#child.signalCode === null) process.kill(this.pid, signal);
  }

  /** Sends a signal and waits for the end; after `POLL_TIMEOUT_MS` the process is killed. Harmless when it has ended already. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<ProcessExit> {
    const timer = setTimeout(() => killProcessGroup(this.#child), DEFAULT_TIMEOUT_MS);
    this.signal(signal);
    try {
      return await this.exited;
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * Starts a process in a group of its own and waits until it is ready.
 *
 * @throws Error with the output when it can't be started, ends, or isn't ready in time; nothing is left running then.
 */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const child = spawn(options.command, options.args ?? [], {
    cwd: options.cwd ?? REPOSITORY_ROOT,
    env: { ...inheritedEnvironment(), ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    ...(options.user === undefined ? {} : { uid: options.user, gid: options.user }),
  });
  if (child.pid === undefined) return once(child, "error").then(([error]) => Promise.reject(error));
  guardProcessGroup(child);
  child.once("exit", () => killProcessGroup(child));
  const running = new RunningProcess(child, child.pid, collectLines(child.stdout, child.stderr));
  await waitUntilReady(running, options);
  return running;
}

/** Options of `startService`. */
export interface ServiceOptions {
  /** The entry file, from the repository's root, such as `services/embedded.ts`. */
  readonly main: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of another version of the repository; this one's root by default. */
  readonly cwd?: string | undefined;
  readonly ready: RegExp;
  readonly readyTimeoutMs?: number;
}

/** Starts a service's entry file as a real process under this Node, with the options of the container image. */
export function startService({ main, env, ...options }: ServiceOptions): Promise<RunningProcess> {
  const { NODE_OPTIONS = "" } = imageEnv();
  return startProcess({ ...options, env: { NODE_OPTIONS, ...env }, command: process.execPath, args: [main] });
}

async function waitUntilReady(running: RunningProcess, options: ProcessOptions): Promise<void> {
  if (!options.ready) return;
  try {
    await running.waitForLine(options.ready, options.readyTimeoutMs);
  } catch (error) {
    await running.kill();
    throw error;
  }
}

function collectLines(...streams: readonly Readable[]): LineLog {
  const log = new LineLog();
  for (const input of streams) createInterface({ input }).on("line", (line) => log.add(line));
  return log;
}

/** The part of this process's environment that every process of a test gets. */
export function inheritedEnvironment(): Record<string, string> {
  const inherited = INHERITED.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(inherited.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
