import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { ConfigError, type Env } from "../../../common/platform/config/env.ts";
import type { Logger } from "../../../common/platform/log/log.ts";
import { traceOf } from "../../../common/platform/tracing/tracing.ts";
import { countedStatus } from "./counted-status.ts";
import { methodName } from "./method-name.ts";
import { routeOf } from "./request-route.ts";

/** Lines a second about failed and slow answers that the share doesn't choose: an outage must not become a flood of lines. */
const MAX_UNUSUAL_A_SECOND = 100;
/** Routes of streams, which last for as long as their readers want. */
const STREAM = /\/stream$/;

export interface AccessLogConfig {
  /** `ACCESS_LOG`: the share of requests that are logged, from 0 to 1. */
  readonly share: number;
  /** `ACCESS_LOG_SLOW`, 1 s: answers that take as long are logged in any case, in milliseconds. */
  readonly slowMs: number;
}

export interface AccessLogOptions {
  readonly logger: Logger;
  /** Monotonic clock in milliseconds. That of the process by default. */
  readonly now?: () => number;
  /** Returns a number from 0 up to, but not including, 1; `Math.random` by default. */
  readonly random?: () => number;
}

/** Reads the configuration. Undefined where `ACCESS_LOG` is `off`, the default. @throws ConfigError naming the variable */
export function accessLogConfig(env: Env): AccessLogConfig | undefined {
  const text = env.string("ACCESS_LOG", "off");
  const slowMs = env.duration("ACCESS_LOG_SLOW", { default: "1s", min: "1ms", max: "1h" });
  if (text === "off") return undefined;
  const share = /^\d(\.\d{1,12})?$/.test(text) ? Number(text) : Number.NaN;
  if (share >= 0 && share <= 1) return Object.freeze({ share, slowMs });
  throw new ConfigError("ACCESS_LOG", "expected off, or the share of requests to log, from 0 to 1, such as 0.01");
}

/**
 * Returns a function that logs requests once they are answered, or their client has gone: a share of all, and each that failed
 * (5xx) or was slow. A line has no address, no header and no value of the request: its route stands for the path.
 */
export function createAccessLog(
  { share, slowMs }: AccessLogConfig,
  { logger, now = () => performance.now(), random = Math.random }: AccessLogOptions,
): RequestListener {
  const unusual = { second: 0, lines: 0 };
  const mayLogUnusual = (second: number): boolean => {
    if (second !== unusual.second) Object.assign(unusual, { second, lines: 0 });
    unusual.lines++;
    return unusual.lines <= MAX_UNUSUAL_A_SECOND;
  };
  return (request, response) => {
    const startedAt = now();
    const { socket } = request;
    const writtenBefore = socket.bytesWritten;
    response.once("close", () => {
      const endedAt = now();
      const durationMs = endedAt - startedAt;
      const isSlow = durationMs >= slowMs && !STREAM.test(routeOf(response) ?? "");
      const isUnusual = isSlow || countedStatus(response) >= 500;
      const isLogged = random() < share || (isUnusual && mayLogUnusual(Math.floor(endedAt / 1_000)));
      if (isLogged)
        logger.info(fieldsOf(request, response, durationMs, socket.bytesWritten - writtenBefore), "request");
    });
  };
}

/** The fields of a line, with the names of OpenTelemetry's conventions where these have one. */
function fieldsOf(request: IncomingMessage, response: ServerResponse, durationMs: number, bytes: number) {
  const trace = traceOf(response);
  return {
    "http.request.method": methodName(request.method),
    "http.route": routeOf(response),
    // A client that has gone before an answer got none.
    "http.response.status_code": response.headersSent ? countedStatus(response) : undefined,
    "http.response.size": bytes,
    durationMs: Math.round(durationMs * 1_000) / 1_000,
    ...(trace && { trace_id: trace.traceId, span_id: trace.spanId }),
  };
}
