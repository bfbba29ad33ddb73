import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

/** The system calls that open a connection. Any other one has failed on an open connection, which may have sent the call. */
const OPENING: ReadonlySet<unknown> = new Set(["connect", "getaddrinfo"]);
/** Node's error codes for a connection that couldn't be opened, for errors that don't name a system call. */
const NOT_CONNECTED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);
/** The most addresses of a host that a message names. */
const MAX_REASONS = 4;

/** Whether the cause of an error is a connection that couldn't be opened, to any address of its host. */
export function isNotConnected(error: unknown): boolean {
  return failedAttempts(error).length > 0;
}

/**
 * Answers `unavailable` for a call whose connection couldn't be opened, with the reason for each address of the host. Node's own
 * error has no message if there are several, and for some codes the transport would answer `internal`.
 */
export const notConnectedInterceptor: Interceptor = (next) => async (request) => {
  try {
    return await next(request);
  } catch (error) {
    const reasons = failedAttemptsText(error);
    if (reasons === undefined) throw error;
    const message = `the connection couldn't be opened: ${reasons}`;
    throw new ConnectError(message, Code.Unavailable, undefined, undefined, error);
  }
};

/** Returns why a connection couldn't be opened, for each address of its host; undefined for the cause of any other error. */
export function failedAttemptsText(error: unknown): string | undefined {
  const attempts = failedAttempts(error);
  if (attempts.length === 0) return undefined;
  return [...new Set(attempts.map(({ message, code }) => message || code))].slice(0, MAX_REASONS).join(", ");
}

type SystemError = Error & { readonly code: string };

/** The attempts to connect that an error is the outcome of; none if anything else failed. */
function failedAttempts(error: unknown): readonly SystemError[] {
  if (!(error instanceof Error)) return [];
  if (error instanceof AggregateError && error.errors.length > 0) {
    const attempts = error.errors.map(failedAttempts);
    return attempts.every(({ length }) => length > 0) ? attempts.flat() : [];
  }
  return isFailedAttempt(error) ? [error] : failedAttempts(error.cause);
}

function isFailedAttempt(error: Error): error is SystemError {
  if (!("code" in error) || typeof error.code !== "string") return false;
  return "syscall" in error ? OPENING.has(error.syscall) : NOT_CONNECTED.has(error.code);
}
