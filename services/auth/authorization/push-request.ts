import type { DpopProof } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import type { Client } from "../applications/application.ts";
import { findClient } from "../applications/applications-store.ts";
import type { AuthContext } from "../base/context.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import { type OAuthParameter, OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import { authenticateClient } from "../client-authentication/authenticate-client.ts";
import { missingAssertion, readClientCredentials } from "../client-authentication/client-credentials.ts";
import { type PresentedProof, presentedProof, useProof } from "../dpop/presented-proof.ts";
import { requestedRedirectUri } from "./authorization-parameters.ts";
import { keptParameters } from "./pushed-request.ts";
import { insertPushedRequest } from "./pushed-requests-store.ts";
import { readRequest } from "./read-request.ts";

/**
 * Stores an authorization request that its client sends in advance, after the checks of an authorization that begins (RFC 9126
 * section 2.1).
 *
 * @param dpop the proof of the request; the code is bound to its key then (RFC 9449 section 10.1)
 * @param peerAddress the network address of the sender; empty if it isn't known
 * @returns the `request_uri` from which one authorization of this client may begin
 * @throws OAuthError as `pushingClient`, for the proof, and for a request that would be refused at the authorization endpoint
 * @throws ServiceError `resource_exhausted`, `unavailable`
 */
export async function pushRequest(
  context: AuthContext,
  sent: readonly OAuthParameter[],
  dpop: DpopProof | undefined,
  peerAddress: string,
): Promise<string> {
  // First, so that an application that lacks a nonce hasn't used up its assertion.
  const proof = dpop && presentedProof(context, dpop);
  const parameters = new OAuthParameters(sent);
  const client = await pushingClient(context, parameters);
  if (parameters.optional("request_uri") !== undefined) {
    throw new OAuthError("invalid_request", "request_uri must not be pushed");
  }
  const nowMs = context.clock();
  await readRequest(context, parameters, { client, redirectUri: requestedRedirectUri(parameters, client) }, nowMs);
  const bound = proof === undefined ? sent : boundParameters(sent, parameters, proof);
  if (client.definition.security.tokenEndpointAuthMethod === "none")
    await context.rateLimits.take("push_unauthenticated_address", peerAddress, client.uuid);
  if (proof !== undefined) await useProof(context, proof);
  const request = { clientUuid: client.uuid, parameters: keptParameters(bound, client.uuid) };
  return context.database.write((transaction) => insertPushedRequest(transaction, request, nowMs));
}

/** Returns the parameters with the key of the proof as `dpop_jkt`. @throws OAuthError `invalid_request` if they name another one */
function boundParameters(
  sent: readonly OAuthParameter[],
  parameters: OAuthParameters,
  { keyThumbprint }: PresentedProof,
): readonly OAuthParameter[] {
  const named = parameters.optional("dpop_jkt");
  if (named === keyThumbprint) return sent;
  if (named !== undefined) throw new OAuthError("invalid_request", "dpop_jkt must be the key of the DPoP proof");
  return [...sent.filter(({ name }) => name !== "dpop_jkt"), { name: "dpop_jkt", value: keyThumbprint }];
}

/**
 * Returns the client that pushes a request, authenticated as at the token endpoint (RFC 9126 section 2.1).
 *
 * @throws OAuthError `invalid_client`; `invalid_request` if the request names no client
 */
async function pushingClient(context: AuthContext, parameters: OAuthParameters): Promise<Client> {
  const credentials = readClientCredentials(parameters);
  const { clientUuid, assertion } = credentials;
  if (clientUuid === undefined) throw new OAuthError("invalid_request", "client_id is missing");
  if (assertion !== undefined) await authenticateClient(context, credentials);
  const client = await findClient(context.database, clientUuid);
  if (client?.status !== "active") {
    throw new OAuthError("invalid_client", "client_id is unknown, or the client is disabled");
  }
  const isConfidential = client.definition.security.tokenEndpointAuthMethod !== "none";
  if (isConfidential && assertion === undefined) throw missingAssertion();
  return client;
}
