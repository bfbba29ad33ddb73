import { boundedBody, MAX_SMALL_BODY_BYTES } from "../web/http/bounded-body.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { bodyLengthProblem, type JsonObject, jsonHeadersProblem, parseJsonObject } from "../web/http/json-body.ts";
import { CallError } from "./call-error.ts";

/**
 * Returns the JSON object of a request. Unknown members are left to the caller to ignore.
 *
 * @throws CallError `invalid_argument`, with status 413 or 415 where the body isn't read
 */
export async function callBody(c: AuthContext): Promise<JsonObject> {
  const problem = jsonHeadersProblem(c.req.header("content-type"), c.req.header("content-encoding"));
  if (problem !== undefined) throw new CallError("invalid_argument", problem, { status: 415 });
  const bytes = await boundedBody(c, MAX_SMALL_BODY_BYTES);
  if (bytes === undefined) {
    throw new CallError("invalid_argument", bodyLengthProblem(MAX_SMALL_BODY_BYTES), { status: 413 });
  }
  const body = parseJsonObject(bytes);
  if (typeof body === "string") throw new CallError("invalid_argument", body);
  return body;
}
