import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { scopeText } from "../base/scope.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import type { TokenDependencies } from "./dependencies.ts";
import { liveAccessToken } from "./live-access-token.ts";

export function introspectToken(
  dependencies: TokenDependencies,
): ServiceImpl<typeof AuthorizationService>["introspectToken"] {
  return async ({ accessToken }) => {
    const live = await liveAccessToken(dependencies, accessToken);
    if (live === undefined) return { active: false };
    const { subject, clientUuid, saleUuid, scopes, expiresAtMs, authenticatedAtMs } = live.claims;
    return {
      active: true,
      subject,
      clientUuid,
      saleUuid,
      scope: scopeText(scopes),
      expiresAt: timestampOf(expiresAtMs),
      authenticatedAt: timestampOf(authenticatedAtMs),
      accountUuid: live.family.holder.accountUuid,
    };
  };
}
