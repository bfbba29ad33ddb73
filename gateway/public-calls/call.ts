import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ApplicationAccessSchema } from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import type { JsonObject } from "../web/http/json-body.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import type { DpopRequests } from "../web/sessions/dpop-requests.ts";
import type { EntitiesUpstream } from "../web/sessions/entities-upstream.ts";
import type { TokenRequests } from "../web/sessions/token-requests.ts";
import { presentedToken } from "./access-token.ts";
import { callBody } from "./call-body.ts";
import { notServed, rpcCallError } from "./rpc-call-error.ts";

/** Dependencies of the calls. */
export interface CallDependencies extends AuthDependencies {
  /** Shared with the token endpoint. */
  readonly tokenRequests: TokenRequests;
  readonly dpopRequests: DpopRequests;
}

/** Handles a request of an operation. @returns the JSON body of the answer */
export type CallHandler = (c: AuthContext, dependencies: CallDependencies) => Promise<JsonObject>;

/** A call of an application for its user. */
export interface UserCall {
  /** The part of RPCs that holds the user's access token, with its proof where it was sent as `DPoP`. */
  readonly access: MessageInitShape<typeof ApplicationAccessSchema>;
  readonly body: JsonObject;
  readonly clients: EntitiesUpstream;
}

/**
 * Returns the handler of an operation that needs an access token. The entities service decides what the token allows.
 *
 * @param answer makes the answer; errors of its RPCs get the names of the request's fields
 */
export function userCall(answer: (call: UserCall) => Promise<JsonObject>): CallHandler {
  return async (c, { entitiesUpstream: clients, dpopRequests, config }) => {
    if (clients === undefined) throw notServed();
    const { scheme, accessToken } = presentedToken(c);
    const proof = scheme === "DPoP" ? { dpop: await dpopRequests.proofOf(c, config.publicBaseUrl) } : {};
    const access = { accessToken, ...proof };
    const body = await callBody(c);
    try {
      return await answer({ access, body, clients });
    } catch (error) {
      throw rpcCallError(error, body, scheme) ?? error;
    }
  };
}
