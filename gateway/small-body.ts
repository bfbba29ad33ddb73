import type { AuthContext } from "./auth-context.ts";
import { declaredLength } from "./early-refusal.ts";
import { receiveBody } from "./request-body.ts";

/** Of a form or a token request. */
export const MAX_SMALL_BODY_BYTES = 16 * 1024;

/** The request's body as text; undefined where it is larger than `MAX_SMALL_BODY_BYTES`. */
export async function smallBody({ env }: AuthContext): Promise<string | undefined> {
  const { incoming } = env;
  if (Number.isFinite(declaredLength(incoming)) && declaredLength(incoming) > MAX_SMALL_BODY_BYTES) return undefined;
  const body = await new Promise<Buffer | undefined>((resolve) => {
    receiveBody(incoming, MAX_SMALL_BODY_BYTES, resolve);
  });
  return body?.toString("utf8");
}

/** The media type in lower case, without parameters; empty without one. */
export function mediaTypeOf(c: AuthContext): string {
  return (c.req.header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
