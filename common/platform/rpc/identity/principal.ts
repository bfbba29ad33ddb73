import type { HandlerContext } from "@connectrpc/connect";
import { ServiceError } from "../../errors/service-error.ts";
import { type Actor, actorOf } from "./actor.ts";
import { callerOf } from "./caller.ts";

/** The one who acts on a sale: an operator, or the person for whom the gateway calls. */
export type Principal = { readonly kind: "operator" } | (Actor & { readonly kind: "person" });

/** The principal of a call. @throws ServiceError `unauthenticated` for a service that calls for itself */
export function principalOf(context: Pick<HandlerContext, "values">): Principal {
  const actor = actorOf(context);
  if (actor !== undefined) return { kind: "person", ...actor };
  const { name } = callerOf(context);
  if (name === "operator") return { kind: "operator" };
  throw new ServiceError("unauthenticated", `caller ${name} may do this only for a person who is signed in`);
}
