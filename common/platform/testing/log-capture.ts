import { createLogger, type Logger } from "../log/log.ts";

export interface LogCapture {
  readonly logger: Logger;
  /** The parsed log lines so far. */
  readonly lines: Record<string, unknown>[];
}

/** A logger whose lines a test can inspect. */
export function captureLog(): LogCapture {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { logger: createLogger({ service: "test", level: "debug", destination }), lines };
}
