import process from "node:process";
import { format } from "node:util";
import type { Logger } from "./log.ts";

const LEVELS = { trace: "debug", debug: "debug", log: "info", info: "info", warn: "warn", error: "error" } as const;

/**
 * Makes what libraries print, and the warnings of the runtime, lines of the log: a line that isn't JSON breaks what reads it.
 *
 * @param target the console of the process
 * @param warnings emits the runtime's warnings; what prints them otherwise is removed
 */
export function logLibraryOutput(
  logger: Logger,
  target: Pick<Console, keyof typeof LEVELS> = console,
  warnings: Pick<NodeJS.EventEmitter, "removeAllListeners" | "on"> = process,
): void {
  for (const [method, level] of Object.entries(LEVELS))
    target[method as keyof typeof LEVELS] = (...args: unknown[]) =>
      logger[level]({ output: format(...args) }, "a library printed a text");
  warnings.removeAllListeners("warning");
  warnings.on("warning", (warning: Error) => logger.warn({ err: warning }, "the runtime warns"));
}
