import type { AuthContext } from "../base/context.ts";
import { CONTACT_EMAIL, OPENID, scopeText } from "../base/oauth/scope.ts";
import type { TokenFamily } from "./refresh-rotation.ts";

/** A successful token response (RFC 6749 section 5.1). */
export interface TokenSet {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly refreshToken: string;
  /** The scopes of the access token, separated by spaces. */
  readonly scope: string;
  readonly tokenType: "Bearer" | "DPoP";
  /** Only with the scope `openid`. */
  readonly idToken?: string;
}

/** The grant that tokens are made of: a redeemed code or a family. */
export interface TokenGrant
  extends Pick<TokenFamily, "uuid" | "holder" | "authenticatedAtMs" | "authenticatedBy" | "idTokenSaysWhen"> {
  /** The `nonce` of the authorization request; only for a code. */
  readonly nonce?: string | undefined;
}

/**
 * Signs an access token of a family, and an ID token if its scopes have `openid`. Call it only after the rows of the family and the
 * refresh token were committed.
 *
 * @param keyThumbprint the key that the access token is bound to; absent for a bearer token
 */
export async function tokenSetOf(
  { accessTokens, idTokens }: AuthContext,
  family: TokenGrant,
  scopes: readonly string[],
  refreshToken: string,
  keyThumbprint?: string,
): Promise<TokenSet> {
  const { clientUuid, saleUuid, tenancy, accountUuid, subjectSalt } = family.holder;
  const { token, expiresInSeconds } = await accessTokens.issue({
    clientUuid,
    saleUuid,
    tenancy,
    accountUuid,
    familyUuid: family.uuid,
    subjectSalt,
    scopes,
    keyThumbprint,
  });
  const tokenType = keyThumbprint === undefined ? "Bearer" : "DPoP";
  const tokens = { accessToken: token, expiresInSeconds, refreshToken, scope: scopeText(scopes), tokenType } as const;
  if (!scopes.includes(OPENID)) return tokens;
  const { authenticatedBy, idTokenSaysWhen, nonce } = family;
  const authenticatedAtMs = idTokenSaysWhen ? family.authenticatedAtMs : undefined;
  const grant = { ...family.holder, algorithm: family.holder.idTokenAlgorithm, nonce, accessToken: token };
  const claims = { authenticatedAtMs, authenticatedBy, sharesEmail: scopes.includes(CONTACT_EMAIL) };
  return { ...tokens, idToken: await idTokens.issue({ ...grant, ...claims }) };
}
