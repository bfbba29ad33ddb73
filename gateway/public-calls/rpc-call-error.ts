import { randomUUID } from "node:crypto";
import { Code } from "@connectrpc/connect";
import type { ServiceError, Violation } from "../../common/platform/errors/service-error.ts";
import type { Logger } from "../../common/platform/log/log.ts";
import { toServiceError } from "../../common/platform/rpc/errors.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import type { JsonObject } from "../web/http/json-body.ts";
import { isRefused } from "../web/sessions/auth-failure.ts";
import { type TokenScheme, tokenChallenge } from "../web/sessions/token-challenge.ts";
import { unauthorized } from "./access-token.ts";
import { CallError, invalidFields } from "./call-error.ts";
import { publicFieldName } from "./public-names.ts";

const DEFAULT_LIMITED_SECONDS = 60;

/** The field that a refusal of the user's access token names; a refusal of the gateway itself names none. */
const TOKEN_FIELD = "access.access_token";

/** Answers an error that a call threw. A defect of Tidemark goes to the log under an ID that the answer shows. */
export function answerCallError(c: AuthContext, thrown: unknown, logger: Logger): Response {
  const { code, message, details, status, headers } = toCallError(thrown, logger);
  return c.json({ code, message, details }, status, { ...headers });
}

function toCallError(thrown: unknown, logger: Logger): CallError {
  if (thrown instanceof CallError) return thrown;
  const refusal = rpcCallError(thrown);
  if (refusal !== undefined) return refusal;
  const id = randomUUID();
  logger.error({ err: thrown, errorId: id }, "call of an application failed");
  return new CallError("internal", "Something went wrong on our side.", { details: { id } });
}

/**
 * Returns the public error for one with which a called service refused; undefined for a failure that is a defect of
 * Tidemark or its configuration, such as a refusal of the gateway itself.
 *
 * @param sent the request's body, for the names of its fields
 * @param scheme that of its access token
 */
export function rpcCallError(
  thrown: unknown,
  sent: JsonObject = {},
  scheme: TokenScheme = "Bearer",
): CallError | undefined {
  const refusal = toServiceError(thrown);
  if (refusal !== undefined) return refusalError(refusal, sent, scheme);
  return isRefused(thrown, Code.Unimplemented) ? notServed() : undefined;
}

/** Returns the error of calls for which this deployment has no service. */
export function notServed(): CallError {
  return new CallError("unimplemented", "Taking part in sales isn't set up here.");
}

function refusalError(refusal: ServiceError, sent: JsonObject, scheme: TokenScheme): CallError | undefined {
  const { code, message, violations, retryAfterSeconds = DEFAULT_LIMITED_SECONDS } = refusal;
  const ofToken = violations.find(({ field }) => field === TOKEN_FIELD);
  switch (code) {
    case "invalid_argument":
      return invalidFields(
        violations.map(({ field, ...violation }) => ({ field: publicFieldName(field, sent), ...violation })),
      );
    case "unauthenticated":
      return ofToken && refusedToken(ofToken, scheme);
    case "permission_denied":
      return ofToken && new CallError(code, sentence(message));
    case "not_found":
      return new CallError(code, sentence(message));
    case "failed_precondition":
      return new CallError(code, sentence(message));
    case "resource_exhausted":
      return new CallError(code, "There are too many requests.", { headers: retryAfter(retryAfterSeconds) });
    case "unavailable":
    case "aborted":
      return new CallError("unavailable", "This can't be answered at the moment.", { headers: retryAfter(1) });
    case "deadline_exceeded":
      return new CallError(code, "This took too long.");
    case "already_exists":
      return undefined;
  }
}

/** The rules of `access_token` for the key that it is bound to, and its proof: the error codes of RFC 9449. */
const PROOF_RULES = ["invalid_token", "invalid_dpop_proof", "use_dpop_nonce"];

function refusedToken({ rule, message }: Violation, scheme: TokenScheme): CallError {
  const error = PROOF_RULES.find((name) => rule === `access_token.${name}`);
  if (error !== undefined) return unauthorized(sentence(message), tokenChallenge("DPoP", error, message));
  return unauthorized("The access token is unknown, expired or revoked.", tokenChallenge(scheme, "invalid_token"));
}

function retryAfter(seconds: number): Readonly<Record<string, string>> {
  return { "Retry-After": String(seconds) };
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
