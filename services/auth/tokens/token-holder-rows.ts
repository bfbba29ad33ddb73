import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { scopesOfText } from "../base/oauth/scope.ts";
import type { ClientTable, Int64 } from "../base/schema.ts";
import type { TokenHolder } from "./token-holder.ts";

/** The columns of a holder, in a query that joins codes or families with them. */
export const HOLDER_COLUMNS = [
  "client.client",
  "client.sale",
  "client.tenancy",
  "client.status",
  "client.token_endpoint_auth_method",
  "client.require_pushed_authorization_requests",
  "client.dpop_bound_access_tokens",
  "client.scopes as client_scopes",
  "client.id_token_signed_response_alg",
  "client.token_generation as client_token_generation",
  "account.account",
  "sale_access.subject_salt",
  "consent.granted as consented_scopes",
] as const;

type ClientColumn =
  | "client"
  | "sale"
  | "tenancy"
  | "status"
  | "token_endpoint_auth_method"
  | "require_pushed_authorization_requests"
  | "dpop_bound_access_tokens"
  | "id_token_signed_response_alg";

export interface HolderRow extends Pick<ClientTable, ClientColumn> {
  readonly account: Uint8Array;
  readonly client_scopes: ClientTable["scopes"];
  readonly client_token_generation: Int64;
  readonly subject_salt: Uint8Array | null;
  /** Null where the user has withdrawn the consent. */
  readonly consented_scopes: string | null;
}

/** @param tokenGeneration the client's token generation when the code was issued. */
export function holderOfRow(row: HolderRow, tokenGeneration: bigint): TokenHolder {
  const saleUuid = uuidFromBytes(row.sale);
  if (row.subject_salt === null) throw new Error(`sale ${saleUuid} has a client, but isn't registered`);
  const clientIsActive = row.status === "active";
  return {
    accountUuid: uuidFromBytes(row.account),
    clientUuid: uuidFromBytes(row.client),
    saleUuid,
    tenancy: row.tenancy,
    subjectSalt: row.subject_salt,
    clientIsActive,
    clientIsConfidential: row.token_endpoint_auth_method === "private_key_jwt",
    clientDemandsPush: Number(row.require_pushed_authorization_requests) === 1,
    clientDemandsDpop: Number(row.dpop_bound_access_tokens) === 1,
    clientIsValid: clientIsActive && BigInt(row.client_token_generation) === tokenGeneration,
    idTokenAlgorithm: row.id_token_signed_response_alg ?? "RS256",
    clientScopes: JSON.parse(row.client_scopes),
    consentedScopes: scopesOfText(row.consented_scopes ?? ""),
  };
}
