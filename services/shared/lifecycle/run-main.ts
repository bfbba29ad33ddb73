import process from "node:process";
import { ConfigError } from "../config/config-error.ts";
import { createLogger } from "../log/log.ts";
import { isStrayReset } from "./stray-reset.ts";

/** `EX_CONFIG` of sysexits.h. */
const EXIT_CONFIG = 78;

/**
 * Runs a process's composition root. A `ConfigError` ends it with one line on standard error (the variable and the
 * expected value) and exit code 78. Any other error at the start, and later every uncaught exception or unhandled
 * rejection, is logged as fatal and ends it with exit code 1, as its state can't be trusted any more. A stray reset of
 * Deno (see `isStrayReset`) is only logged.
 */
export function runMain(service: string, start: () => Promise<void>): void {
  const die = (error: unknown, msg: string): never => {
    createLogger({ service, level: "fatal" }).fatal({ err: error }, msg);
    process.exit(1);
  };
  process.on("uncaughtException", (error) => {
    if (!isStrayReset(error)) die(error, "uncaught exception");
    createLogger({ service, level: "warn" }).warn({ err: error }, "a destroyed connection was reset");
  });
  process.on("unhandledRejection", (reason) => die(reason, "unhandled rejection"));
  start().catch((error: unknown) =>
    error instanceof ConfigError ? exitWithConfigError(error) : die(error, "start failed"),
  );
}

function exitWithConfigError(error: ConfigError): never {
  process.stderr.write(`${error.message}\n`);
  process.exit(EXIT_CONFIG);
}
