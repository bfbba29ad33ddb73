const REDACTED = "[redacted]";
const MAX_DEPTH = 6;
const MAX_ENTRIES = 100;
const MAX_STRING_LENGTH = 16_384;

/** Matched against keys in lower case, reduced to letters and digits. */
const SENSITIVE_KEY =
  /authorization|cookie|password|secret|email|verifier|privatekey|apikey|tokens?$|^(auth|signin|user|onetime|device)?code$|^callerkeys?$/;

/**
 * A copy of log fields that is safe to write: values under keys that name credentials, one-time codes (`code`) or
 * e-mail addresses are replaced, errors become plain objects, class instances their name, and depth, entries and
 * strings are bounded. An error's own `code` (such as `ECONNREFUSED`) stays.
 */
export function redact(fields: Record<string, unknown>): Record<string, unknown> {
  return loggableObject(fields, 0);
}

function loggableObject(object: object, depth: number): Record<string, unknown> {
  const entries = Object.entries(object).slice(0, MAX_ENTRIES);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, isSensitive(key) ? REDACTED : loggable(value, depth + 1)]),
  );
}

function isSensitive(key: string): boolean {
  return SENSITIVE_KEY.test(key.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
}

function loggable(value: unknown, depth: number): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "string") return value.slice(0, MAX_STRING_LENGTH);
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "[too deep]";
  if (value instanceof Error) return loggableError(value, depth);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((item) => loggable(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null
    ? loggableObject(value, depth)
    : `[${value.constructor.name}]`;
}

function loggableError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const code = "code" in error && typeof error.code !== "object" ? error.code : undefined;
  const errors = error instanceof AggregateError ? error.errors.slice(0, MAX_ENTRIES) : undefined;
  return {
    type: name,
    message: loggable(message, depth),
    ...(code === undefined ? {} : { code: loggable(code, depth) }),
    ...(stack === undefined ? {} : { stack: loggable(stack, depth) }),
    ...(cause === undefined ? {} : { cause: loggable(cause, depth + 1) }),
    ...(errors === undefined ? {} : { errors: loggable(errors, depth + 1) }),
  };
}
