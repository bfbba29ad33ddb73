import { ServiceError } from "../../errors/service-error.ts";

/**
 * The JWT of an `authorization` header (RFC 6750 section 2.1).
 *
 * @param maxLength in characters
 * @throws ServiceError `unauthenticated`
 */
export function bearerToken(authorization: string | undefined, maxLength: number): string {
  const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? "")?.[1];
  if (token !== undefined && token.length <= maxLength) return token;
  throw unauthenticated("a caller token is required: authorization: Bearer <JWT>");
}

/** The rule of the refusal of a known caller that may not call a method. */
export const CALLER_METHOD_RULE = "caller.method";
/** The rule of the refusal of a caller token for another reason than its times. */
export const CALLER_TOKEN_RULE = "caller_token.valid";
/** The rule of the refusal of a token that its issuer signed, by whose times it isn't valid now. */
export const TOKEN_TIME_RULE = "caller_token.time";

/** Returns the refusal of a token that its issuer signed, by whose times it isn't valid now: a clock may be wrong. */
export function outOfTime(message: string, cause?: unknown): ServiceError {
  const violations = [{ field: "authorization", rule: TOKEN_TIME_RULE, message }];
  return new ServiceError("unauthenticated", message, { violations, cause });
}

export function unauthenticated(message: string, cause?: unknown): ServiceError {
  const violations = [{ field: "authorization", rule: CALLER_TOKEN_RULE, message }];
  return new ServiceError("unauthenticated", message, { violations, cause });
}
