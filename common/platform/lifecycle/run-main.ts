import { constants } from "node:os";
import process from "node:process";
import { ConfigError } from "../config/config-error.ts";
import { Env } from "../config/env.ts";
import { logLibraryOutput } from "../log/library-output.ts";
import { createLogger, type LoggerOptions, type LogLevel, logLevel } from "../log/log.ts";
import { Lifecycle, type LifecycleOptions } from "./lifecycle.ts";
import { actionOf, type Task, UsageError } from "./main-arguments.ts";
import { isStrayReset } from "./stray-reset.ts";

/** `EX_USAGE` and `EX_CONFIG` of sysexits.h. */
const EXIT = { usage: 64, config: 78 } as const;
/** Added to the number of the signal that ended a process, as shells do. */
const SIGNALLED = 128;

/** Opens the lifecycle of the process. From then on signals stop it. */
export type OpenLifecycle = (options: LifecycleOptions) => Lifecycle;

export interface MainOptions {
  readonly tasks?: readonly Task[];
  /** The log that the process keeps. */
  readonly log?: MainLog;
}

export interface MainLog extends Pick<LoggerOptions, "destination"> {
  /** The level if `LOG_LEVEL` isn't set. `info` by default. */
  readonly standardLevel?: LogLevel;
}

/**
 * Runs a process's composition root, or one of its tasks if an argument names it; `--help` and `--version` print a text.
 * Unknown arguments end it with one line on standard error and exit code 64. A `ConfigError` ends it with one line (the
 * variable and the expected value) and exit code 78, also where a step of the start finds it in the background, as that a database refuses
 * an account. Any other error at the start, and later every uncaught exception or unhandled
 * rejection, is logged as fatal and ends it with exit code 1, as its state can't be trusted any more. A stray reset of
 * Deno (see `isStrayReset`) is only logged. What libraries print becomes lines of the log.
 *
 * SIGTERM and SIGINT stop the lifecycle that `serve` has opened, while the process starts as well: nothing that the start still
 * throws then counts. They end a task at once, with the exit code that shells report: its work isn't done. A process that is the first
 * of a container ends by no signal that it doesn't handle.
 */
export function runMain(
  service: string,
  serve: (openLifecycle: OpenLifecycle) => Promise<void>,
  { tasks = [], log = {} }: MainOptions = {},
): void {
  const { destination, standardLevel } = log;
  const loggerAt = (level: LogLevel) => createLogger({ service, level, ...(destination && { destination }) });
  const die = (error: unknown, msg: string): never => {
    loggerAt("fatal").fatal({ err: error }, msg);
    process.exit(1);
  };
  process.on("uncaughtException", (error) => {
    if (!isStrayReset(error)) die(error, "uncaught exception");
    loggerAt("warn").warn({ err: error }, "a destroyed connection was reset");
  });
  process.on("unhandledRejection", (reason) =>
    reason instanceof ConfigError ? exitWith(reason, EXIT.config) : die(reason, "unhandled rejection"),
  );
  let lifecycle: Lifecycle | undefined;
  const openLifecycle: OpenLifecycle = (options) => {
    lifecycle = new Lifecycle(options);
    return lifecycle;
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (lifecycle !== undefined) return lifecycle.endOn(signal);
      loggerAt("warn").warn({ signal }, "ended before the work was done");
      process.exit(SIGNALLED + constants.signals[signal]);
    });
  }
  const beforeRun = () => logLibraryOutput(loggerAt(logLevel(new Env(process.env), standardLevel)));
  start(() => serve(openLifecycle), tasks, beforeRun).catch((error: unknown) => {
    // It may have failed because what it uses has been stopped. The stop decides the exit code.
    if (lifecycle?.stopping.aborted) return;
    if (error instanceof UsageError) return exitWith(error, EXIT.usage);
    return error instanceof ConfigError ? exitWith(error, EXIT.config) : die(error, "start failed");
  });
}

async function start(serve: () => Promise<void>, tasks: readonly Task[], beforeRun: () => void): Promise<void> {
  const [, file = "", ...args] = process.argv;
  const action = actionOf(args, file, serve, tasks);
  if ("text" in action) {
    process.stdout.write(action.text);
    return;
  }
  beforeRun();
  await action.run();
}

function exitWith({ message }: Error, code: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
