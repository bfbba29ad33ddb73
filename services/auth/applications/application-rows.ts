import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { ClientTable } from "../base/schema.ts";
import type { Client } from "./application.ts";
import { type ClientSecurity, DEFAULT_SECURITY } from "./definition/application-security.ts";

/** The row of a client, without the column that only `raiseTokenGeneration` changes. */
export function encodeClient(client: Client): Omit<ClientTable, "token_generation"> {
  const { definition, squareLogo, wideLogo } = client;
  return {
    client: bytesOfHex(client.uuid),
    sale: bytesOfHex(client.saleUuid),
    tenancy: client.tenancy,
    sale_name: client.saleName,
    name: definition.name,
    status: client.status,
    version: client.version,
    redirect_uris: JSON.stringify(definition.redirectUris),
    scopes: JSON.stringify(definition.scopes),
    square_logo: squareLogo === undefined ? null : bytesOfHex(squareLogo),
    wide_logo: wideLogo === undefined ? null : bytesOfHex(wideLogo),
    created_at_ms: client.createdAtMs,
    ...encodeSecurity(definition.security),
  };
}

export function decodeClient(row: ClientTable): Client {
  return {
    uuid: uuidFromBytes(row.client),
    saleUuid: uuidFromBytes(row.sale),
    saleName: row.sale_name,
    tenancy: row.tenancy,
    status: row.status,
    definition: {
      name: row.name,
      redirectUris: JSON.parse(row.redirect_uris),
      scopes: JSON.parse(row.scopes),
      security: decodeSecurity(row),
    },
    ...(row.square_logo === null ? {} : { squareLogo: hexOfBytes(row.square_logo) }),
    ...(row.wide_logo === null ? {} : { wideLogo: hexOfBytes(row.wide_logo) }),
    version: BigInt(row.version),
    createdAtMs: BigInt(row.created_at_ms),
  };
}

/** The columns of a client that hold its security settings. */
type SecurityColumns = Pick<
  ClientTable,
  | "require_pushed_authorization_requests"
  | "dpop_bound_access_tokens"
  | "id_token_signed_response_alg"
  | "token_endpoint_auth_method"
  | "jwks"
  | "post_logout_redirect_uris"
>;

function encodeSecurity(security: ClientSecurity): SecurityColumns {
  return {
    require_pushed_authorization_requests: security.requirePushedAuthorizationRequests ? 1 : 0,
    dpop_bound_access_tokens: security.dpopBoundAccessTokens ? 1 : 0,
    id_token_signed_response_alg: security.idTokenSignedResponseAlg,
    token_endpoint_auth_method: security.tokenEndpointAuthMethod,
    jwks: JSON.stringify(security.jwks),
    post_logout_redirect_uris: JSON.stringify(security.postLogoutRedirectUris),
  };
}

function decodeSecurity(row: SecurityColumns): ClientSecurity {
  return {
    requirePushedAuthorizationRequests: Number(row.require_pushed_authorization_requests) === 1,
    dpopBoundAccessTokens: Number(row.dpop_bound_access_tokens) === 1,
    idTokenSignedResponseAlg: row.id_token_signed_response_alg ?? DEFAULT_SECURITY.idTokenSignedResponseAlg,
    tokenEndpointAuthMethod: row.token_endpoint_auth_method ?? DEFAULT_SECURITY.tokenEndpointAuthMethod,
    jwks: JSON.parse(row.jwks ?? "[]"),
    postLogoutRedirectUris: JSON.parse(row.post_logout_redirect_uris ?? "[]"),
  };
}
