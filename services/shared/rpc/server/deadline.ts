/** In milliseconds. */
export interface DeadlineLimits {
  /** For a call that brings no time-out. */
  readonly defaultMs: number;
  /** The most that a call may ask for. */
  readonly maxMs: number;
}

const GRPC_UNITS_MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/**
 * Writes the time-out that a call gets into its headers: the default where it brings none, the maximum where it asks
 * for more. From there Connect treats it like the client's own. A malformed time-out stays, for Connect to refuse.
 *
 * @returns the time-out in milliseconds; the maximum for a malformed one
 */
export function boundDeadline(header: Headers, { defaultMs, maxMs }: DeadlineLimits): number {
  const isGrpc = header.get("content-type")?.startsWith("application/grpc") ?? false;
  const name = isGrpc ? "grpc-timeout" : "connect-timeout-ms";
  const text = header.get(name);
  const askedMs = text === null ? defaultMs : isGrpc ? parseGrpcTimeout(text) : parseConnectTimeout(text);
  if (askedMs === undefined) return maxMs;
  const timeoutMs = Math.min(askedMs, maxMs);
  if (text === null || timeoutMs < askedMs) header.set(name, isGrpc ? `${timeoutMs}m` : String(timeoutMs));
  return timeoutMs;
}

/** `connect-timeout-ms`: at most 10 digits. */
function parseConnectTimeout(text: string): number | undefined {
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

/** `grpc-timeout`: at most 8 digits and a unit. */
function parseGrpcTimeout(text: string): number | undefined {
  const match = /^(\d{1,8})([HMSmun])$/.exec(text);
  return match === null ? undefined : Number(match[1]) * (GRPC_UNITS_MS[match[2] ?? ""] ?? Number.NaN);
}
