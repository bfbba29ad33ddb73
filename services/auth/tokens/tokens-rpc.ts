import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { AuthMetrics } from "../base/auth-metrics.ts";
import type { AuthContext } from "../base/context.ts";
import { caughtOAuthErrorMessage, OAuthError, oauthErrorMessage } from "../base/oauth/oauth-error.ts";
import { OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import { CONTACT_EMAIL, scopeText } from "../base/oauth/scope.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { authenticateClient } from "../client-authentication/authenticate-client.ts";
import { presentedProof } from "../dpop/presented-proof.ts";
import { batchIssueTokens } from "./batch-issue-tokens.ts";
import { checkAccess, presentationError } from "./check-access.ts";
import { CodeExchanges } from "./code-exchanges.ts";
import { introspectOwnToken, ownTokenMessage } from "./introspect-own-token.ts";
import { liveAccessToken } from "./live-access-token.ts";
import { revokeToken } from "./revoke-token.ts";
import { readIntrospection, readRevocation, readTokenParameters } from "./token-parameters.ts";
import { TokenRefreshes } from "./token-refreshes.ts";

type Methods = ServiceImpl<typeof AuthorizationService>;
type TokenMetrics = Pick<AuthMetrics, "tokens" | "tokenErrors" | "replays" | "introspections">;

const INVALID_TOKEN = new OAuthError("invalid_token", "the access token is unknown, expired or revoked");
const INSUFFICIENT_SCOPE = new OAuthError("insufficient_scope", "the user no longer grants what the client requires");

/** The methods of `AuthorizationService` for tokens. */
export function tokenMethods(
  context: AuthContext,
  metrics: TokenMetrics,
): Pick<
  Methods,
  | "issueTokens"
  | "batchIssueTokens"
  | "revokeToken"
  | "getUserInfo"
  | "introspectToken"
  | "introspectOwnToken"
  | "checkAccess"
  | "getDpopNonce"
> {
  const issue = countGrants(issueTokens(context, metrics), metrics);
  return {
    issueTokens: issue,
    batchIssueTokens: batchIssueTokens(issue, context),

    async revokeToken({ parameters, peer }) {
      await context.rateLimits.take("token_address", peer?.address ?? "");
      try {
        await revokeToken(context, readRevocation(new OAuthParameters(parameters)));
        return {};
      } catch (error) {
        return { error: caughtOAuthErrorMessage(error) };
      }
    },

    async getUserInfo({ accessToken, dpop }) {
      const live = await liveAccessToken(context, accessToken);
      if (live === undefined) return { result: { case: "error", value: oauthErrorMessage(INVALID_TOKEN) } };
      const refusal = await presentationError(context, live, accessToken, dpop);
      if (refusal !== undefined) return { result: { case: "error", value: refusal } };
      const { claims, family, scopes, isSufficient } = live;
      if (!isSufficient) return { result: { case: "error", value: oauthErrorMessage(INSUFFICIENT_SCOPE) } };
      const email = scopes.includes(CONTACT_EMAIL) ? family.email : "";
      return { result: { case: "userInfo", value: { subject: claims.subject, email } } };
    },

    async introspectToken({ accessToken }) {
      const live = await liveAccessToken(context, accessToken);
      if (!live?.isSufficient || live.lacksKey) return { active: false };
      const { subject, clientUuid, saleUuid, expiresAtMs } = live.claims;
      const { holder, authenticatedAtMs } = live.family;
      const { accountUuid, tenancy } = holder;
      return {
        active: true,
        subject,
        clientUuid,
        saleUuid,
        tenancy,
        scope: scopeText(live.scopes),
        expiresAt: timestampOf(expiresAtMs),
        authenticatedAt: timestampOf(authenticatedAtMs),
        accountUuid,
        keyThumbprint: live.claims.keyThumbprint ?? "",
      };
    },

    introspectOwnToken: countIntrospections(introspectOwn(context), metrics),

    checkAccess: checkAccess(context),

    async getDpopNonce() {
      return { nonce: context.dpopNonces.present() };
    },
  };
}

function issueTokens(context: AuthContext, { replays }: Pick<AuthMetrics, "replays">): Methods["issueTokens"] {
  const exchanges = new CodeExchanges(context, () => replays.inc({ kind: "code" }));
  const refreshes = new TokenRefreshes(context, () => replays.inc({ kind: "refresh_token" }));
  return async ({ parameters, peer, clientOptional, dpop }) => {
    await context.rateLimits.take("token_address", peer?.address ?? "");
    try {
      const request = readTokenParameters(new OAuthParameters(parameters), clientOptional);
      const proof = dpop && presentedProof(context, dpop);
      if (request.assertion !== undefined) await authenticateClient(context, request);
      const tokens =
        request.grantType === "authorization_code"
          ? await exchanges.exchange(request, proof)
          : await refreshes.refresh(request, proof);
      return { result: { case: "tokens", value: tokens } };
    } catch (error) {
      return { result: { case: "error", value: caughtOAuthErrorMessage(error) } };
    }
  };
}

function introspectOwn(context: AuthContext): Methods["introspectOwnToken"] {
  return async ({ parameters, peer }) => {
    await context.rateLimits.take("introspection_address", peer?.address ?? "");
    try {
      const token = await introspectOwnToken(context, readIntrospection(new OAuthParameters(parameters)));
      return token === undefined ? {} : { result: { case: "active", value: ownTokenMessage(token, context) } };
    } catch (error) {
      return { result: { case: "error", value: caughtOAuthErrorMessage(error) } };
    }
  };
}

function countIntrospections(
  handler: Methods["introspectOwnToken"],
  { introspections }: Pick<AuthMetrics, "introspections">,
): Methods["introspectOwnToken"] {
  return async (request, call) => {
    const response = await handler(request, call);
    const { case: result } = response.result ?? {};
    introspections.inc({ result: result === "error" ? "refused" : (result ?? "inactive") });
    return response;
  };
}

/** The values that the label of the metric may take, whatever a client sends. */
const GRANT_LABELS: ReadonlySet<string | undefined> = new Set(["authorization_code", "refresh_token"]);

function countGrants(handler: Methods["issueTokens"], { tokens, tokenErrors }: TokenMetrics): Methods["issueTokens"] {
  return async (request, call) => {
    const response = await handler(request, call);
    const { result } = response;
    if (result?.case === "tokens") tokens.inc({ grant: grantOf(request.parameters) });
    if (result?.case === "error") tokenErrors.inc({ error: result.value.error ?? "" });
    return response;
  };
}

function grantOf(parameters: readonly { readonly name: string; readonly value: string }[]): string {
  const grant = parameters.find(({ name }) => name === "grant_type")?.value;
  return grant !== undefined && GRANT_LABELS.has(grant) ? grant : "other";
}
