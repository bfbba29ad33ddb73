import type { IncomingMessage } from "node:http";
import { BodyBuffer } from "../../../common/platform/http/body-buffer.ts";
import { declaredLength } from "./early-refusal.ts";
import type { AuthContext } from "./hono-context.ts";

/**
 * Collects a request's body and calls `done` once: with the body, or with undefined as soon as `BodyBuffer` refuses it, as larger than
 * `maxBytes` or cut into too many chunks. The caller then deals with the rest of it. `done` isn't called for a body that breaks off.
 */
export function receiveBody(
  request: IncomingMessage,
  maxBytes: number,
  done: (body: Buffer | undefined) => void,
): void {
  const buffer = new BodyBuffer(maxBytes);
  const onData = (chunk: Buffer): void => {
    if (buffer.add(chunk)) return;
    request.off("data", onData).off("end", onEnd);
    done(undefined);
  };
  const onEnd = (): void => done(buffer.bytes);
  request.on("data", onData).on("end", onEnd);
}

/** Largest body of a form or a token request. */
export const MAX_SMALL_BODY_BYTES = 16 * 1024;

/** Returns the request's body as text; undefined where it is refused as `receiveBody` does, beyond `MAX_SMALL_BODY_BYTES`. */
export async function smallBody(c: AuthContext): Promise<string | undefined> {
  return (await boundedBody(c, MAX_SMALL_BODY_BYTES))?.toString("utf8");
}

/** Returns the request's body; undefined where it is refused as `receiveBody` does. */
export async function boundedBody({ env }: AuthContext, maxBytes: number): Promise<Buffer | undefined> {
  const { incoming } = env;
  if (Number.isFinite(declaredLength(incoming)) && declaredLength(incoming) > maxBytes) return undefined;
  return new Promise<Buffer | undefined>((resolve) => {
    receiveBody(incoming, maxBytes, resolve);
  });
}

/** Returns the media type of the body in lower case, without parameters; empty without a `Content-Type`. */
export function mediaTypeOf(c: AuthContext): string {
  return (c.req.header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
