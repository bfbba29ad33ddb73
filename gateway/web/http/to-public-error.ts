import { randomUUID } from "node:crypto";
import type { Logger } from "../../../services/shared/log/log.ts";
import { internalError, PublicError } from "./public-error.ts";

/** What a reader is told of an error; the cause of one that isn't theirs is in the log, by its ID. */
export function toldError(error: unknown, logger: Logger): PublicError {
  if (error instanceof PublicError) return error;
  const errorId = randomUUID();
  logger.error({ err: error, errorId }, "public read failed");
  return internalError(errorId);
}
