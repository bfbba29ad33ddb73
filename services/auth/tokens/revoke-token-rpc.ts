import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { refusalMessage } from "../base/oauth-error-message.ts";
import { OAuthParameters } from "../base/oauth-parameters.ts";
import type { TokenDependencies } from "./dependencies.ts";
import { revokeToken as revoke } from "./revoke-token.ts";
import { readRevocation } from "./token-parameters.ts";

export function revokeToken(dependencies: TokenDependencies): ServiceImpl<typeof AuthorizationService>["revokeToken"] {
  return async ({ parameters, peer }) => {
    await dependencies.rateLimits.take("token_address", peer?.address ?? "");
    try {
      await revoke(dependencies, readRevocation(new OAuthParameters(parameters)));
      return {};
    } catch (error) {
      return { error: refusalMessage(error) };
    }
  };
}
