import type { HandlerContext } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { type Actor, actorOf } from "../../../common/platform/rpc/identity/actor.ts";

/** Returns the person for whom a call is made. @throws ServiceError `unauthenticated` where there is none. */
export function requirePerson(context: Pick<HandlerContext, "values">): Actor {
  const actor = actorOf(context);
  if (actor !== undefined) return actor;
  throw new ServiceError("unauthenticated", "the call must name the person for whom it is made");
}
