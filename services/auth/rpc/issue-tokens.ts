import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { OAuthParameters } from "../domain/oauth-parameters.ts";
import { readTokenParameters } from "../domain/token-parameters.ts";
import { CodeExchanges } from "../grants/exchange-code.ts";
import { TokenRefreshes } from "../grants/refresh-tokens.ts";
import type { Dependencies } from "./dependencies.ts";
import { refusalMessage } from "./oauth-error-message.ts";

export function issueTokens(dependencies: Dependencies): ServiceImpl<typeof AuthorizationService>["issueTokens"] {
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
