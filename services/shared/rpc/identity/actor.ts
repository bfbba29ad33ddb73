import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import { ServiceError } from "../../errors/service-error.ts";
import type { Caller } from "./caller.ts";

/** The person for whom a call is made. */
export interface Actor {
  readonly accountUuid: string;
  /** When that person signed in: milliseconds since 1970. */
  readonly authenticatedAtMs: bigint;
}

export interface ActorVerifier {
  /**
   * The person behind an actor token that auth has signed for this service.
   *
   * @throws ServiceError `unauthenticated` where it is forged, expired or meant for another service; `unavailable`
   *   where the keys can't be had now
   */
  verify(token: string): Promise<Actor>;
}

/** The request header that carries the actor token. */
export const ACTOR_HEADER = "tidemark-actor";
/** `typ` of actor tokens: keeps them apart from whatever else auth signs (RFC 8725 section 3.11). */
export const ACTOR_TOKEN_TYPE = "tidemark-actor+jwt";
/** Who may speak for people. */
const ACTING_CALLER = "gateway";

const actorKey = createContextKey<Actor | undefined>(undefined, { description: "actor" });

/** The person for whom the call is made; undefined where it is made for nobody. */
export function actorOf(context: Pick<HandlerContext, "values">): Actor | undefined {
  return context.values.get(actorKey);
}

/**
 * Finds out for whom a caller acts, for `createRequestGate`.
 *
 * @throws ServiceError `permission_denied` where another than the gateway brings an actor token, and what `verify` throws
 */
export async function authenticateActor(
  context: Pick<HandlerContext, "requestHeader" | "values">,
  caller: Caller,
  verifier: ActorVerifier | undefined,
): Promise<void> {
  const token = context.requestHeader.get(ACTOR_HEADER);
  if (token === null) return;
  if (caller.name !== ACTING_CALLER) {
    throw new ServiceError("permission_denied", `caller ${caller.name} may not act for people`);
  }
  if (verifier === undefined) throw new ServiceError("unauthenticated", "actor tokens aren't accepted here");
  context.values.set(actorKey, await verifier.verify(token));
}
