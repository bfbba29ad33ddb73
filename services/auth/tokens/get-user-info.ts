import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { oauthErrorMessage } from "../base/oauth-error-message.ts";
import { OAuthRefusal } from "../base/oauth-refusal.ts";
import { CONTACT_EMAIL } from "../base/scope.ts";
import type { TokenDependencies } from "./dependencies.ts";
import { liveAccessToken } from "./live-access-token.ts";

const INVALID = new OAuthRefusal("invalid_token", "the access token is unknown, expired or revoked");

export function getUserInfo(dependencies: TokenDependencies): ServiceImpl<typeof AuthorizationService>["getUserInfo"] {
  return async ({ accessToken }) => {
    const live = await liveAccessToken(dependencies, accessToken);
    if (live === undefined) return { result: { case: "error", value: oauthErrorMessage(INVALID) } };
    const { claims, family } = live;
    const email = claims.scopes.includes(CONTACT_EMAIL) ? family.email : "";
    return { result: { case: "userInfo", value: { subject: claims.subject, email } } };
  };
}
