import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { OAuthParameters } from "../domain/oauth-parameters.ts";
import { readRevocation } from "../domain/token-parameters.ts";
import { revokeToken as revoke } from "../grants/revoke-token.ts";
import type { Dependencies } from "./dependencies.ts";
import { refusalMessage } from "./oauth-error-message.ts";

export function revokeToken(dependencies: Dependencies): ServiceImpl<typeof AuthorizationService>["revokeToken"] {
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
