import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import { ServiceError } from "../../errors/service-error.ts";
import type { Caller } from "./caller.ts";

/** The person for whom a call is made. */
export interface Actor {
  readonly accountUuid: string;
  /** The time of the person's sign-in: milliseconds since 1970. */
  readonly authenticatedAtMs: bigint;
  /** The session in which the person acts, by the ID that lists of sessions show. Absent in tokens of an older auth service. */
  readonly sessionUuid?: string;
  /** How the person signed in. Absent in tokens of an older auth service, which counts as `code`. */
  readonly authenticatedBy?: "code" | "passkey";
}

export interface ActorVerifier {
  /**
   * Returns the person that an actor token names.
   *
   * @throws ServiceError `unauthenticated` if auth hasn't signed it for this service, or it has expired; `unavailable` if
   *   the keys can't be loaded
   */
  verify(token: string): Promise<Actor>;
}

/** The request header that carries the actor token. */
export const ACTOR_HEADER = "tidemark-actor";
/** `typ` of actor tokens, which distinguishes them from all other tokens of auth (RFC 8725 section 3.11). */
export const ACTOR_TOKEN_TYPE = "tidemark-actor+jwt";
/** The only caller that may act for people. */
const ACTING_CALLER = "gateway";

const actorKey = createContextKey<Actor | undefined>(undefined, { description: "actor" });

/** The person for whom a call is made. Undefined if a service calls for itself. */
export function actorOf(context: Pick<HandlerContext, "values">): Actor | undefined {
  return context.values.get(actorKey);
}

/**
 * Verifies the actor token of a call, if it has one, and attaches the person to the call.
 *
 * @throws ServiceError `permission_denied` if a caller other than the gateway sends an actor token, and what `verify` throws
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
