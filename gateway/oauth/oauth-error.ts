import { randomUUID } from "node:crypto";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { OAuthError } from "../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { authFailure } from "../web/sessions/auth-failure.ts";

export interface OAuthErrorOptions {
  readonly status?: ContentfulStatusCode;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error of an endpoint that applications call: `{error, error_description}` (RFC 6749 section 5.2). */
export class OAuthAnswerError extends Error {
  /** Error code, such as `invalid_grant`. */
  readonly error: string;
  readonly status: ContentfulStatusCode;
  readonly headers: Readonly<Record<string, string>>;

  /** @param description for developers: printable ASCII without `"` and `\` */
  constructor(error: string, description: string, options: OAuthErrorOptions = {}) {
    super(description);
    this.name = "OAuthAnswerError";
    this.error = error;
    this.status = options.status ?? 400;
    this.headers = options.headers ?? {};
  }
}

export function invalidRequest(description: string, options?: OAuthErrorOptions): OAuthAnswerError {
  return new OAuthAnswerError("invalid_request", description, options);
}

/** Answers an error that a handler of such an endpoint threw. A defect of Tidemark goes to the log under an ID. */
export function answerOAuthError(
  c: AuthContext,
  thrown: unknown,
  { logger }: Pick<AuthDependencies, "logger">,
): Response {
  const failure = thrown instanceof OAuthAnswerError ? thrown : asOAuthError(thrown, logger);
  const { error, message, status, headers } = failure;
  return c.json({ error, error_description: message }, status, { ...headers });
}

function asOAuthError(thrown: unknown, logger: AuthDependencies["logger"]): OAuthAnswerError {
  const failure = authFailure(thrown);
  switch (failure.kind) {
    case "limited":
      return temporarilyUnavailable(429, "too many requests, try again later", failure.retryAfterSeconds);
    case "unavailable":
      return temporarilyUnavailable(503, "try again later", failure.retryAfterSeconds);
    case "refused":
      return invalidRequest("the request is malformed");
    case "internal": {
      const errorId = randomUUID();
      logger.error({ err: thrown, errorId }, "OAuth request failed");
      return new OAuthAnswerError("server_error", `internal error ${errorId}`, { status: 500 });
    }
  }
}

function temporarilyUnavailable(status: 429 | 503, description: string, retryAfterSeconds: number): OAuthAnswerError {
  const headers = { "Retry-After": String(retryAfterSeconds) };
  return new OAuthAnswerError("temporarily_unavailable", description, { status, headers });
}

const BASIC_CHALLENGE = { "WWW-Authenticate": 'Basic realm="tidemark"' };

/**
 * Returns the error of an endpoint at which clients authenticate: a 401, with a challenge of HTTP Basic where that was tried (RFC 6749
 * section 5.2).
 */
export function clientError(
  { error, errorDescription }: Pick<OAuthError, "error" | "errorDescription">,
  c: AuthContext,
): OAuthAnswerError {
  if (error !== "invalid_client") return new OAuthAnswerError(error, errorDescription);
  return new OAuthAnswerError(error, errorDescription, { status: 401, headers: isBasic(c) ? BASIC_CHALLENGE : {} });
}

/** Returns the error for a client that sends a secret by HTTP Basic. The auth service refuses one in the body. */
export function refusedSecret(): OAuthAnswerError {
  const description =
    "no client has a secret: send client_id, or client_assertion (private_key_jwt), and no Authorization";
  return new OAuthAnswerError("invalid_client", description, { status: 401, headers: BASIC_CHALLENGE });
}

/** Whether a client has tried HTTP Basic, with any credentials. */
export function isBasic(c: AuthContext): boolean {
  return /^basic(?: |$)/i.test(c.req.header("authorization") ?? "");
}
