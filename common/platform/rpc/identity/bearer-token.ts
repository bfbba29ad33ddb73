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

export function unauthenticated(message: string, cause?: unknown): ServiceError {
  return new ServiceError("unauthenticated", message, { cause });
}
