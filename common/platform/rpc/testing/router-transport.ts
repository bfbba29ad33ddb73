import { type ConnectRouter, createRouterTransport, type Interceptor, type Transport } from "@connectrpc/connect";
import { createValidateInterceptor } from "@connectrpc/validate";
import { captureLog } from "../../testing/log-capture.ts";
import { createErrorInterceptor, errorMapper } from "../error-interceptor.ts";
import { ACTOR_HEADER, type Actor, type ActorVerifier } from "../identity/actor.ts";
import type { AllowedCallers } from "../identity/allowed-callers.ts";
import { createRequestGate } from "../server/request-gate.ts";

export interface RouterTransportOptions {
  readonly routes: (router: ConnectRouter) => void;
  readonly allowed: AllowedCallers;
  /** The service that calls. */
  readonly caller: string;
  /** The person for whom it calls. */
  readonly actor?: Actor;
  /** Verifies the actor tokens that its calls bring themselves. */
  readonly actors?: ActorVerifier;
  /** The layer between the caller and the handlers. */
  readonly interceptors?: readonly Interceptor[];
}

/** Compiles the rules of each message once for all transports of a process. */
const VALIDATION = createValidateInterceptor();

/** A transport that calls handlers without a network, as a caller and for a person that the test chooses. */
export function routerTransport(options: RouterTransportOptions): Transport {
  const { routes, allowed, caller, actor, interceptors = [] } = options;
  const { logger } = captureLog();
  const actors = actor === undefined ? options.actors : { verify: async () => actor };
  const authenticator = { authenticate: async () => ({ name: caller }) };
  const gate = createRequestGate({ authenticator, allowed, ...(actors && { actors }) });
  return createRouterTransport(routes, {
    router: {
      requestGate: async (context) => {
        await gate(context).catch((error: unknown) => {
          throw errorMapper(logger, context)(error);
        });
      },
      interceptors: [createErrorInterceptor(logger), VALIDATION],
    },
    transport: { interceptors: [...interceptors, ...(actor === undefined ? [] : [sendActor])] },
  });
}

const sendActor: Interceptor = (next) => (request) => {
  request.header.set(ACTOR_HEADER, "an actor token");
  return next(request);
};
