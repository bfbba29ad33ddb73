import { Code, ConnectError } from "@connectrpc/connect";

const REFUSED: ReadonlySet<Code> = new Set([Code.Unauthenticated, Code.PermissionDenied]);

export const NOT_ANSWERED = "has not answered yet";

/** Returns the reason, for readiness, why a service has not answered yet whose last answer was an error. */
export function unansweredReason(error: unknown): string {
  return REFUSED.has(ConnectError.from(error).code)
    ? "refuses this process: CALLER_NAME and CALLER_KEY, or the tokens in CALLER_TOKEN_DIR, aren't those that it knows"
    : NOT_ANSWERED;
}
