import type { IncomingMessage } from "node:http";
import { declaredLength } from "./early-refusal.ts";
import type { AuthContext } from "./hono-context.ts";

const EMPTY = Buffer.alloc(0);

/**
 * Collects a request's body and calls `done` once: with the body, or with undefined as soon as the body is larger than
 * `maxBytes`. The caller then deals with the rest of it. `done` isn't called for a body that breaks off.
 */
export function receiveBody(
  request: IncomingMessage,
  maxBytes: number,
  done: (body: Buffer | undefined) => void,
): void {
  let first: Buffer = EMPTY;
  let rest: Buffer[] | undefined;
  let length = 0;
  const onData = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > maxBytes) {
      request.off("data", onData).off("end", onEnd);
      done(undefined);
    } else if (first.length === 0) first = chunk;
    else if (rest === undefined) rest = [chunk];
    else rest.push(chunk);
  };
  // Nearly every body comes in one chunk, which isn't copied.
  const onEnd = (): void => done(rest === undefined ? first : Buffer.concat([first, ...rest], length));
  request.on("data", onData).on("end", onEnd);
}

/** Largest body of a form or a token request. */
export const MAX_SMALL_BODY_BYTES = 16 * 1024;

/** Returns the request's body as text; undefined where it is larger than `MAX_SMALL_BODY_BYTES`. */
export async function smallBody(c: AuthContext): Promise<string | undefined> {
  return (await boundedBody(c, MAX_SMALL_BODY_BYTES))?.toString("utf8");
}

/** Returns the request's body; undefined where it is larger than `maxBytes`. */
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
