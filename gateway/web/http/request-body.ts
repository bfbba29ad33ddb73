import { receiveBody } from "../../../common/platform/http/request-body.ts";
import { declaredLength } from "./early-refusal.ts";
import type { AuthContext } from "./hono-context.ts";

/** Largest body of a form or a token request. */
export const MAX_SMALL_BODY_BYTES = 16 * 1024;

/** Returns the request's body as text; undefined where it is refused as `receiveBody` does, beyond `MAX_SMALL_BODY_BYTES`. */
export async function smallBody(c: AuthContext): Promise<string | undefined> {
  return (await boundedBody(c, MAX_SMALL_BODY_BYTES))?.toString("utf8");
}

/** Returns the request's body; undefined where it is refused as `receiveBody` does, or breaks off, so that nobody reads the answer. */
export async function boundedBody({ env }: AuthContext, maxBytes: number): Promise<Buffer | undefined> {
  const { incoming } = env;
  if (Number.isFinite(declaredLength(incoming)) && declaredLength(incoming) > maxBytes) return undefined;
  return new Promise<Buffer | undefined>((resolve) => {
    receiveBody(incoming, maxBytes, resolve, () => resolve(undefined));
  });
}

/** Returns the media type of the body in lower case, without parameters; empty without a `Content-Type`. */
export function mediaTypeOf(c: AuthContext): string {
  return (c.req.header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
