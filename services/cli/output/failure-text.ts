import { Code, ConnectError } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import { callerRefusal } from "../../../common/platform/rpc/identity/caller-refusal.ts";
import { terminalText } from "./terminal-text.ts";

const CODE_WORDS = /(?<=[a-z])(?=[A-Z])/g;

/** The reasons of a failed call: `field: message` for each violation, else `code: message`. */
export function failureText(error: unknown): string {
  const refusal = error instanceof ServiceError ? error : toServiceError(error);
  // A refusal of the command's own key isn't about its input: the code and the hint say more than the field.
  if (refusal !== undefined && refusal.violations.length > 0 && callerRefusal(error) === undefined) {
    return refusal.violations
      .map(({ field, message }) => terminalText(field === "" ? message : `${field}: ${message}`))
      .join("\n");
  }
  const { code, rawMessage } = ConnectError.from(error);
  const hint = hintOf(code, error);
  return `${codeName(code)}: ${terminalText(rawMessage)}${hint === undefined ? "" : `\n${hint}`}`;
}

function hintOf(code: Code, error: unknown): string | undefined {
  if (callerRefusal(error) === "token_time") return "Are the clocks of this machine and of the service's right?";
  return code === Code.Unavailable || code === Code.Unauthenticated ? HINTS[code] : undefined;
}

const HINTS = {
  [Code.Unavailable]:
    "Is the service running, and are COMMITMENTS_URL, INDEXER_URL, AUTH_RPC_URL and ENTITIES_URL right?",
  [Code.Unauthenticated]: "Are CALLER_NAME and CALLER_KEY in CALLER_KEYS of the service?",
};

/** The code's name in the Connect protocol, such as `not_found`. */
function codeName(code: Code): string {
  return Code[code].replaceAll(CODE_WORDS, "_").toLowerCase();
}
