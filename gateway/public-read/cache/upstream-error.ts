import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Logger } from "../../../common/platform/log/log.ts";
import { internalError, PublicError, unavailable } from "../../web/http/public-error.ts";

/** Returns the public error for a failed call of the commitments service. */
export function upstreamError(error: unknown, logger: Logger): PublicError {
  if (error instanceof PublicError) return error;
  switch (error instanceof ConnectError ? error.code : Code.Internal) {
    case Code.NotFound:
      return new PublicError("not_found", "There is no such sale.");
    case Code.DeadlineExceeded:
      return new PublicError("deadline_exceeded", "The sale's figures took too long to read.");
    case Code.ResourceExhausted:
    case Code.Unavailable:
    case Code.Aborted:
    case Code.Canceled:
      return unavailable("The sale's figures can't be read at the moment.");
    default:
      return unexpected(error, logger);
  }
}

function unexpected(error: unknown, logger: Logger): PublicError {
  const errorId = randomUUID();
  logger.error({ err: error, errorId }, "commitment data can't be loaded");
  return internalError(errorId);
}
