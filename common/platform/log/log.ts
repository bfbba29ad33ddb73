import {
  type Bindings,
  type ChildLoggerOptions,
  type DestinationStream,
  type Logger,
  pino,
  stdTimeFunctions,
} from "pino";
import type { Env } from "../config/env.ts";
import { traceFields } from "../tracing/tracing.ts";
import { redact } from "./redact.ts";

export type { Logger };

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerOptions {
  /** The field `service` of every line. */
  readonly service: string;
  readonly level: LogLevel;
  /** Receives whole lines. Standard output by default. */
  readonly destination?: DestinationStream;
}

/** `LOG_LEVEL`: the least severe level that is written. `standard` if it isn't set. */
export function logLevel(env: Env, standard: LogLevel = "info"): LogLevel {
  return env.choice("LOG_LEVEL", LOG_LEVELS, standard);
}

/**
 * A logger of JSON lines: `level` as text, `time` in ISO 8601, `service`, a short `msg`, and fields; `trace_id` and
 * `span_id` within a trace. Values under sensitive keys are redacted (see `redact`). Lines are written synchronously, so
 * that none is lost at an exit.
 */
export function createLogger({ service, level, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service },
    mixin: () => traceFields() ?? {},
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: redact },
    // `redact` makes plain objects of errors. pino's own serializer would add all of their fields.
    serializers: { err: (error: unknown) => error },
  };
  return redactBindings(destination === undefined ? pino(options) : pino(options, destination));
}

/** Redacts the bindings of child loggers. They inherit an overridden `child`, but not pino's formatter of bindings. */
function redactBindings(logger: Logger): Logger {
  const { child } = logger;
  const value = function (this: Logger, bindings: Bindings, options?: ChildLoggerOptions): Logger {
    return Reflect.apply(child, this, [redact(bindings), options]);
  };
  return Object.defineProperty(logger, "child", { value });
}
