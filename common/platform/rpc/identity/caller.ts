import { createContextKey, type HandlerContext } from "@connectrpc/connect";

/** The service that a call comes from. */
export interface Caller {
  readonly name: string;
}

export interface CallerAuthenticator {
  /**
   * Authenticates the caller by the `authorization` header.
   *
   * @throws ServiceError `unauthenticated` if it is absent, forged, expired or meant for another service
   */
  authenticate(authorization: string | undefined): Promise<Caller>;
}

const callerKey = createContextKey<Caller | undefined>(undefined, { description: "caller" });

/** Attaches the authenticated caller to its call. */
export function setCaller(context: Pick<HandlerContext, "values">, caller: Caller): void {
  context.values.set(callerKey, caller);
}

/**
 * The caller that the request gate has let in.
 *
 * @throws Error for a call that has passed no request gate, or one of `grpc.health.v1`
 */
export function callerOf(context: Pick<HandlerContext, "values">): Caller {
  const caller = context.values.get(callerKey);
  if (caller === undefined) throw new Error("the call has passed no gate that authenticates callers");
  return caller;
}
