import type { AuthContext } from "../base/context.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import type { OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import { requestedClientUuid } from "./authorization-parameters.ts";
import type { PushedRequest } from "./pushed-request.ts";
import { findPushedRequest, markPushedRequestUsed } from "./pushed-requests-store.ts";

/** A pushed request from which an authorization may begin. */
export interface UsedRequest extends PushedRequest {
  /** Whether an authorization begins from it now; otherwise one has begun before. */
  readonly isFirst: boolean;
}

/**
 * Uses up the pushed request that an authorization request names (RFC 9126 section 4). Of the other parameters only `client_id`
 * counts (RFC 9101 section 5).
 *
 * @throws OAuthError `invalid_request_uri` for one that is unknown, expired or another client's, of which nothing is used up
 */
export async function usePushedRequest(
  { database, clock }: AuthContext,
  sent: OAuthParameters,
  requestUri: string,
): Promise<UsedRequest> {
  sent.refuseDuplicates(["client_id", "request"]);
  const clientUuid = requestedClientUuid(sent);
  if (sent.optional("request") !== undefined) {
    throw new OAuthError("invalid_request", "request must not be sent with request_uri");
  }
  const nowMs = clock();
  const pushed = await database.read((query) => findPushedRequest(query, requestUri, nowMs));
  if (pushed?.clientUuid !== clientUuid) {
    throw new OAuthError("invalid_request_uri", "request_uri is unknown or has expired: push the request again");
  }
  const isFirst = await database.write((transaction) => markPushedRequestUsed(transaction, requestUri, nowMs));
  return { ...pushed, isFirst };
}
