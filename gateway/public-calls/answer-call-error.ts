import { randomUUID } from "node:crypto";
import type { Logger } from "../../common/platform/log/log.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { CallError } from "./call-error.ts";
import { rpcCallError } from "./rpc-call-error.ts";

/** Answers an error that a call threw. A defect of Tidemark goes to the log under an ID that the answer shows. */
export function answerCallError(c: AuthContext, thrown: unknown, logger: Logger): Response {
  const { code, message, details, status, headers } = toCallError(thrown, logger);
  return c.json({ code, message, details }, status, { ...headers });
}

function toCallError(thrown: unknown, logger: Logger): CallError {
  if (thrown instanceof CallError) return thrown;
  const known = rpcCallError(thrown);
  if (known !== undefined) return known;
  const id = randomUUID();
  logger.error({ err: thrown, errorId: id }, "call of an application failed");
  return new CallError("internal", "Something went wrong on our side.", { details: { id } });
}
