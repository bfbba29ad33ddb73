import { createHash } from "node:crypto";

/** The application that the benchmarks use, the same for both servers. */
export const APPLICATION = {
  clientId: "33333333-3333-4333-8333-333333333333",
  redirectUri: "https://app.example/callback",
  scopes: ["read_entities", "sale_eligibility_check"],
  /** One verifier for all codes, because creating one would cost only the client. */
  codeVerifier: "v".repeat(43),
} as const;

export const CODE_CHALLENGE = createHash("sha256").update(APPLICATION.codeVerifier).digest("base64url");

/** The body of a code exchange, without the code at its end. */
export const EXCHANGE_BODY = `${new URLSearchParams({
  grant_type: "authorization_code",
  client_id: APPLICATION.clientId,
  redirect_uri: APPLICATION.redirectUri,
  code_verifier: APPLICATION.codeVerifier,
})}&code=`;

/** The body of a refresh, without the refresh token at its end. */
export const REFRESH_BODY = `${new URLSearchParams({
  grant_type: "refresh_token",
  client_id: APPLICATION.clientId,
})}&refresh_token=`;
