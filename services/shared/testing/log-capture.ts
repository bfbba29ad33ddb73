import { createLogger, type Logger } from "../log/log.ts";

export interface LogCapture {
  readonly logger: Logger;
  /** What was logged so far, a line each, parsed. */
  readonly lines: Record<string, unknown>[];
}

/** A logger whose lines a test can look at. */
export function captureLog(): LogCapture {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { logger: createLogger({ service: "test", level: "debug", destination }), lines };
}
