/** Limits of the time-out of calls, in milliseconds. */
export interface DeadlineLimits {
  /** The time-out of a call that sets none. */
  readonly defaultMs: number;
  /** The longest time-out. Longer ones are reduced to it. */
  readonly maxMs: number;
}

const GRPC_UNITS_MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/**
 * Writes the time-out of a call into its headers, where Connect treats it like the client's own: the default if the call
 * sets none, the maximum if it sets a longer one. A malformed time-out stays, so that Connect refuses it.
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
