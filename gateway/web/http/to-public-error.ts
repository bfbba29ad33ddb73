import { randomUUID } from "node:crypto";
import type { Logger } from "../../../common/platform/log/log.ts";
import { internalError, PublicError } from "./public-error.ts";

/**
 * Returns the error to send for a thrown one. An unexpected error goes to the log under an ID that the answer shows.
 */
export function toPublicError(error: unknown, logger: Logger): PublicError {
  if (error instanceof PublicError) return error;
  const errorId = randomUUID();
  logger.error({ err: error, errorId }, "public request failed");
  return internalError(errorId);
}
