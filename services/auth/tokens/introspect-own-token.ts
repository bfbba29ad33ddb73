import type { MessageInitShape } from "@bufbuild/protobuf";
import type { OwnTokenSchema } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { scopeText } from "../base/oauth/scope.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { authenticateClient } from "../client-authentication/authenticate-client.ts";
import { pairwiseSubject } from "../signed-tokens/pairwise-subject.ts";
import { liveAccessToken } from "./live-access-token.ts";
import { isValid } from "./refresh-rotation.ts";
import { findPresentedRefreshToken } from "./refresh-tokens-store.ts";
import { effectiveScopes, sufficesFor } from "./token-holder.ts";
import type { TokenIntrospection } from "./token-parameters.ts";

/** A token that its client may use now. */
export interface OwnToken {
  readonly kind: "access_token" | "refresh_token";
  readonly clientUuid: string;
  readonly subject: string;
  /** The scopes that are in force. */
  readonly scopes: readonly string[];
  readonly issuedAtMs: bigint;
  readonly expiresAtMs: bigint;
  /** The `jti` of an access token. */
  readonly tokenId?: string;
  /** The key that an access token is bound to. */
  readonly keyThumbprint?: string | undefined;
}

/**
 * Introspects a token for the client that it was issued to (RFC 7662). A refresh token isn't used by that.
 *
 * @returns undefined for a token that the client can't use: unknown, expired, used, revoked, another client's, or one whose user
 *   no longer grants what the client requires. The answer must not say which.
 * @throws OAuthError `invalid_client`; ServiceError `resource_exhausted`, `unavailable`
 */
export async function introspectOwnToken(
  context: AuthContext,
  request: TokenIntrospection,
): Promise<OwnToken | undefined> {
  const clientUuid = await authenticateClient(context, request);
  await context.rateLimits.take("introspection_client", clientUuid);
  const { token } = request;
  // Access tokens have dots and refresh tokens none, so a hint can't change the answer (RFC 7662 section 2.1).
  const ownToken = await (token.includes(".") ? ownAccessToken(context, token) : ownRefreshToken(context, token));
  return ownToken?.clientUuid === clientUuid ? ownToken : undefined;
}

async function ownAccessToken(context: AuthContext, token: string): Promise<OwnToken | undefined> {
  const live = await liveAccessToken(context, token);
  // Elsewhere clocks may differ by some seconds; here an answer must not contradict its own `exp`.
  if (!live?.isSufficient || live.lacksKey || context.clock() >= live.claims.expiresAtMs) return undefined;
  const { claims, family, scopes } = live;
  const { clientUuid } = family.holder;
  return { ...claims, kind: "access_token", clientUuid, scopes };
}

async function ownRefreshToken({ database, clock }: AuthContext, token: string): Promise<OwnToken | undefined> {
  const ownToken = await database.read((query) => findPresentedRefreshToken(query, token));
  const nowMs = clock();
  if (ownToken === undefined || ownToken.isUsed || nowMs >= ownToken.expiresAtMs) return undefined;
  const { family, issuedAtMs, expiresAtMs } = ownToken;
  const { holder } = family;
  const scopes = effectiveScopes(family.scopes, holder);
  if (!(isValid(family, nowMs) && sufficesFor(holder, scopes))) return undefined;
  const { clientUuid } = holder;
  const subject = pairwiseSubject(holder.subjectSalt, holder.accountUuid);
  return { kind: "refresh_token", clientUuid, subject, scopes, issuedAtMs, expiresAtMs };
}

/** Encodes a token that was introspected. */
export function ownTokenMessage(
  token: OwnToken,
  { accessTokenAudience }: AuthContext,
): MessageInitShape<typeof OwnTokenSchema> {
  const { kind, clientUuid, subject, scopes, issuedAtMs, expiresAtMs } = token;
  const { tokenId = "", keyThumbprint = "" } = token;
  return {
    isAccessToken: kind === "access_token",
    clientUuid,
    subject,
    scope: scopeText(scopes),
    issuedAt: timestampOf(issuedAtMs),
    expiresAt: timestampOf(expiresAtMs),
    tokenId,
    keyThumbprint,
    audience: kind === "access_token" ? accessTokenAudience : "",
  };
}
