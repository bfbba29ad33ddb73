import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { refusalMessage } from "../base/oauth-error-message.ts";
import { OAuthParameters } from "../base/oauth-parameters.ts";
import type { TokenDependencies } from "./dependencies.ts";
import { CodeExchanges } from "./exchange-code.ts";
import { TokenRefreshes } from "./refresh-tokens.ts";
import { readTokenParameters } from "./token-parameters.ts";

export function issueTokens(dependencies: TokenDependencies): ServiceImpl<typeof AuthorizationService>["issueTokens"] {
  const exchanges = new CodeExchanges(dependencies);
  const refreshes = new TokenRefreshes(dependencies);
  return async ({ parameters, peer }) => {
    await dependencies.rateLimits.take("token_address", peer?.address ?? "");
    try {
      const request = readTokenParameters(new OAuthParameters(parameters));
      const tokens =
        request.grantType === "authorization_code"
          ? await exchanges.exchange(request)
          : await refreshes.refresh(request);
      return { result: { case: "tokens", value: tokens } };
    } catch (error) {
      return { result: { case: "error", value: refusalMessage(error) } };
    }
  };
}
