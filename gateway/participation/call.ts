import type { TokenRequests } from "../oauth/token-requests.ts";
import type { AuthDependencies } from "../web/auth/auth-dependencies.ts";
import type { ParticipationClients } from "../web/auth/participation-clients.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import type { JsonObject } from "../web/http/json-body.ts";
import { accessTokenOf } from "./access-token.ts";
import { callBody } from "./call-body.ts";
import { notServed, rpcCallError } from "./rpc-call-error.ts";

/** Dependencies of the calls. */
export interface CallDependencies extends AuthDependencies {
  /** Shared with the token endpoint. */
  readonly tokenRequests: TokenRequests;
}

/** Handles a request of an operation. @returns the JSON body of the answer */
export type CallHandler = (c: AuthContext, dependencies: CallDependencies) => Promise<JsonObject>;

/** A call of an application for its user. */
export interface UserCall {
  /** The part of RPCs that holds the user's access token. */
  readonly access: { readonly accessToken: string };
  readonly body: JsonObject;
  readonly clients: ParticipationClients;
}

/**
 * Returns the handler of an operation that needs an access token. The entities service decides what the token allows.
 *
 * @param answer makes the answer; errors of its RPCs get the names of the request's fields
 */
export function userCall(answer: (call: UserCall) => Promise<JsonObject>): CallHandler {
  return async (c, { participation: clients }) => {
    if (clients === undefined) throw notServed();
    const access = { accessToken: accessTokenOf(c) };
    const body = await callBody(c);
    try {
      return await answer({ access, body, clients });
    } catch (error) {
      throw rpcCallError(error, body) ?? error;
    }
  };
}
