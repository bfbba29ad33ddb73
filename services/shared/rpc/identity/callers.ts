import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import { Health } from "../../../../proto/gen/grpc/health/v1/health_pb.ts";
import { ServiceError } from "../../errors/service-error.ts";
import { type ActorVerifier, noteActor } from "./actor.ts";
import type { Caller, CallerAuthenticator } from "./caller.ts";

export type { Caller, CallerAuthenticator } from "./caller.ts";
export { callerAuthenticator, type KnownCallers } from "./caller-authenticator.ts";
export { readKnownCallers } from "./caller-config.ts";
export {
  type CallerCredentials,
  type CallerKeys,
  type CallerProof,
  generateCallerKey,
  readCallerCredentials,
  readCallerKeys,
  readCallerProof,
} from "./caller-keys.ts";
export { callerInterceptor } from "./caller-token.ts";
export { type NamedKeyOptions, namedKeyAuthenticator } from "./named-key-authenticator.ts";

/** Names of callers by service type name, such as `tidemark.commitments.v1.SaleService`, and method name. */
export type AllowedCallers = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export interface RequestGateOptions {
  readonly authenticator: CallerAuthenticator;
  /** A method that isn't in it may be called by nobody. */
  readonly allowed: AllowedCallers;
  /** Verifies for whom the gateway acts; without it calls for people are refused. */
  readonly actors?: ActorVerifier;
}

/** Decides on a call before its body is read; throws what refuses it. */
export type RequestGate = (context: HandlerContext) => Promise<void>;

const callerKey = createContextKey<Caller | undefined>(undefined, { description: "caller" });

/**
 * A gate that lets in the callers which a table allows. `grpc.health.v1` is open to everyone.
 *
 * @throws ServiceError `unauthenticated` (see `CallerAuthenticator`), `permission_denied` where the table doesn't have
 * the caller for the method, and what `noteActor` throws
 */
export function createRequestGate({ authenticator, allowed, actors }: RequestGateOptions): RequestGate {
  const allowedNames = indexAllowed(allowed);
  return async (context) => {
    if (context.service.typeName === Health.typeName) return;
    const caller = await authenticator.authenticate(context.requestHeader.get("authorization") ?? undefined);
    const method = `${context.service.typeName}/${context.method.name}`;
    if (!allowedNames.get(method)?.has(caller.name)) {
      throw new ServiceError("permission_denied", `caller ${caller.name} may not call ${method}`);
    }
    context.values.set(callerKey, caller);
    await noteActor(context, caller, actors);
  };
}

function indexAllowed(allowed: AllowedCallers): ReadonlyMap<string, ReadonlySet<string>> {
  const methods = Object.entries(allowed).flatMap(([service, byMethod]) =>
    Object.entries(byMethod).map(([method, names]) => [`${service}/${method}`, new Set(names)] as const),
  );
  return new Map(methods);
}

/**
 * The caller that the gate let in.
 *
 * @throws Error for a call that no gate of `createRequestGate` has seen, or one of `grpc.health.v1`
 */
export function callerOf(context: Pick<HandlerContext, "values">): Caller {
  const caller = context.values.get(callerKey);
  if (caller === undefined) throw new Error("the call has passed no gate that authenticates callers");
  return caller;
}
