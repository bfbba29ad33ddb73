import { scopeText } from "../base/scope.ts";
import type { AccessTokens } from "./access-tokens.ts";
import type { TokenFamily } from "./refresh-rotation.ts";

/** A successful token response (RFC 6749 section 5.1). */
export interface TokenSet {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly refreshToken: string;
  /** The scopes of the access token, separated by spaces. */
  readonly scope: string;
}

/** Signs an access token of a family. Call it only after the rows of the family and the refresh token were committed. */
export async function tokenSetOf(
  accessTokens: Pick<AccessTokens, "issue">,
  family: Pick<TokenFamily, "uuid" | "holder" | "authenticatedAtMs">,
  scopes: readonly string[],
  refreshToken: string,
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
    authenticatedAtMs: family.authenticatedAtMs,
  });
  return { accessToken: token, expiresInSeconds, refreshToken, scope: scopeText(scopes) };
}
