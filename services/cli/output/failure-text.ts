import { Code, ConnectError } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import { callerRefusal } from "../../../common/platform/rpc/identity/caller-refusal.ts";
import { isSourceCheckError } from "../../../common/sale/definition/source-check-rule.ts";
import { terminalText } from "./terminal-text.ts";

const CODE_WORDS = /(?<=[a-z])(?=[A-Z])/g;

/** The reasons of a failed call: `field: message` for each violation, else `code: message`. */
export function failureText(error: unknown): string {
  const refusal = error instanceof ServiceError ? error : toServiceError(error);
  if (refusal !== undefined && refusal.violations.length > 0 && isAboutInput(refusal, error)) {
    return refusal.violations
      .map(({ field, message }) => terminalText(field === "" ? message : `${field}: ${message}`))
      .join("\n");
  }
  const { code, message } = refusal ?? otherFailure(error);
  const hint = hintOf(code, error);
  return `${code}: ${terminalText(message)}${hint === undefined ? "" : `\n${hint}`}`;
}

/** Returns the code, and the message, of what is no refusal of a service. */
function otherFailure(error: unknown): { readonly code: string; readonly message: string } {
  const { code, rawMessage } = ConnectError.from(error);
  return { code: codeName(code), message: rawMessage };
}

/**
 * Whether a refusal is about what was entered. One of the command's own key, or of a sale's contract, isn't: its code and its hint say
 * more than a field.
 */
function isAboutInput(refusal: ServiceError, error: unknown): boolean {
  return callerRefusal(error) === undefined && !isSourceCheckError(refusal);
}

function hintOf(code: string, error: unknown): string | undefined {
  if (callerRefusal(error) === "token_time") return "Are the clocks of this machine and of the service's right?";
  return HINTS[code];
}

/** Hints, by the code's name. */
const HINTS: Readonly<Record<string, string>> = {
  unavailable: "Is the service running, and are COMMITMENTS_URL, INDEXER_URL, AUTH_RPC_URL and ENTITIES_URL right?",
  unauthenticated: "Are CALLER_NAME and CALLER_KEY in CALLER_KEYS of the service?",
};

/** The code's name in the Connect protocol, such as `not_found`. */
function codeName(code: Code): string {
  return Code[code].replaceAll(CODE_WORDS, "_").toLowerCase();
}
