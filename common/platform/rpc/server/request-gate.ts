import type { HandlerContext } from "@connectrpc/connect";
import { Health } from "../../../../proto/gen/grpc/health/v1/health_pb.ts";
import { ServiceError } from "../../errors/service-error.ts";
import { type ActorVerifier, authenticateActor } from "../identity/actor.ts";
import type { AllowedCallers } from "../identity/allowed-callers.ts";
import { CALLER_METHOD_RULE } from "../identity/bearer-token.ts";
import { type CallerAuthenticator, setCaller } from "../identity/caller.ts";

export interface RequestGateOptions {
  readonly authenticator: CallerAuthenticator;
  /** Nobody may call a method that isn't listed. */
  readonly allowed: AllowedCallers;
  /** Verifies for whom the gateway acts; without it calls for people are refused. */
  readonly actors?: ActorVerifier;
  /** Returns the reason why this process takes no calls now; undefined if it does. */
  readonly refusal?: () => string | undefined;
}

/** Decides on a call before its body is read. It throws to refuse the call. */
export type RequestGate = (context: HandlerContext) => Promise<void>;

/**
 * A gate that lets in the callers which a table allows. `grpc.health.v1` is open to everyone.
 *
 * @throws ServiceError `unavailable` while there is a `refusal`, `unauthenticated` (see `CallerAuthenticator`), `permission_denied` if the table doesn't list
 * the caller for the method, and what `authenticateActor` throws
 */
export function createRequestGate({ authenticator, allowed, actors, refusal }: RequestGateOptions): RequestGate {
  const allowedNames = indexAllowed(allowed);
  return async (context) => {
    if (context.service.typeName === Health.typeName) return;
    const reason = refusal?.();
    if (reason !== undefined) throw new ServiceError("unavailable", `no calls are taken now: ${reason}`);
    const caller = await authenticator.authenticate(context.requestHeader.get("authorization") ?? undefined);
    const method = `${context.service.typeName}/${context.method.name}`;
    if (!allowedNames.get(method)?.has(caller.name)) {
      const message = `caller ${caller.name} may not call ${method}`;
      const violations = [{ field: "authorization", rule: CALLER_METHOD_RULE, message }];
      throw new ServiceError("permission_denied", message, { violations });
    }
    setCaller(context, caller);
    await authenticateActor(context, caller, actors);
  };
}

function indexAllowed(allowed: AllowedCallers): ReadonlyMap<string, ReadonlySet<string>> {
  const methods = Object.entries(allowed).flatMap(([service, byMethod]) =>
    Object.entries(byMethod).map(([method, names]) => [`${service}/${method}`, new Set(names)] as const),
  );
  return new Map(methods);
}
