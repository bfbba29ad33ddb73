import { Code, ConnectError } from "@connectrpc/connect";
import { callerRefusal } from "../identity/caller-refusal.ts";

const REFUSED: ReadonlySet<Code> = new Set([Code.Unauthenticated, Code.PermissionDenied]);

export const NOT_ANSWERED = "has not answered yet";

const REFUSES =
  "refuses this process: CALLER_NAME and CALLER_KEY, or the tokens in CALLER_TOKEN_DIR, aren't those that it knows";
const CLOCKS_DIFFER = "refuses this process: its clock and that of this process are too far apart";

/** Returns the reason, for readiness, why a service has not answered yet whose last answer was an error. */
export function unansweredReason(error: unknown): string {
  const { code, cause } = ConnectError.from(error);
  // A refusal of this process's token is the cause of an `unavailable` (`unavailableToRefused`).
  const refusal = callerRefusal(error) ?? callerRefusal(cause);
  if (refusal === "token_time") return CLOCKS_DIFFER;
  return refusal !== undefined || REFUSED.has(code) ? REFUSES : NOT_ANSWERED;
}
